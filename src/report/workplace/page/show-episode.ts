import { html, word } from "../../page/create.ts";
import { drawAlignment } from "../episode/draw-alignment.ts";
import { drawGantt, ganttLegend } from "../episode/draw-gantt.ts";
import { drawPairs } from "../episode/draw-pairs.ts";
import { episodeSentence } from "../episode/episode-sentence.ts";
import type { LaneDrawing } from "../episode/lanes.ts";
import { subtaskTable } from "../episode/subtask-table.ts";
import type { ShownWorkplaceEpisode } from "../report-data.ts";
import { showTrace } from "./trace-table.ts";

/** Everything about an episode, from top to bottom. */
export function showEpisode(episode: ShownWorkplaceEpisode): HTMLElement[] {
  return [
    html("p", { class: "sentence", "aria-live": "polite" }, word(episodeSentence(episode))),
    figure("What they did", laneBox("What they did", drawGantt(episode)), drawLegend(), [
      "A lane for each agent; numbers are subtasks, listed below. Asking and telling stand in the upper half of a lane, replies in the lower. ◆ marks adversaries.",
    ]),
    figure("What they understood (AF)", laneBox("What they understood", drawAlignment(episode)), null, [
      "AF, from 0 to 1, of the subtask an agent was at; the dotted line is .5, and the number at the end the last AF. ▲ an answer that helped, ▽ one that misled.",
    ]),
    html(
      "div",
      { class: episode.members.length > 20 ? "pair-row large" : "pair-row" },
      figure("Who wrote to whom", scrollBox("Who wrote to whom", drawing(drawPairs(episode))), null, [
        "Senders are rows, receivers columns, by their numbers. An invitation counts for everybody invited.",
      ]),
      subtaskList(episode),
    ),
    showTrace(episode),
  ];
}

/** Drawings are markup of this room's charts, which escape every text in them. */
function drawing(markup: string): Element {
  const holder = document.createElement("template");
  holder.innerHTML = markup;
  return holder.content.firstElementChild!;
}

const scrollBox = (name: string, ...children: readonly Element[]): HTMLElement =>
  html("div", { class: "scroll", role: "region", tabindex: 0, "aria-label": name }, ...children);

function laneBox(name: string, { names, lanes }: LaneDrawing): HTMLElement {
  const box = scrollBox(name, drawing(names), drawing(lanes));
  box.classList.add("lanes");
  return box;
}

function figure(
  heading: string,
  box: HTMLElement,
  legend: HTMLElement | null,
  caption: readonly string[],
): HTMLElement {
  return html(
    "section",
    { class: "episode-part" },
    html("h3", {}, heading),
    legend,
    html("figure", {}, box, html("figcaption", {}, ...caption)),
  );
}

const drawLegend = (): HTMLElement =>
  html(
    "ul",
    { class: "legend" },
    ...ganttLegend.map(({ name, sample }) => {
      const mark = drawing(sample);
      mark.setAttribute("aria-hidden", "true");
      return html("li", {}, mark, name);
    }),
  );

function subtaskList(episode: ShownWorkplaceEpisode): HTMLElement {
  const { columns, rows } = subtaskTable(episode);
  const classOf = (c: number): string | null => (columns[c].align === "right" ? "number" : null);
  const head = columns.map(({ title }, c) => html("th", { scope: "col", class: classOf(c) }, title));
  const body = rows.map((cells) =>
    html(
      "tr",
      {},
      ...cells.map((cell, c) =>
        c === 0
          ? html("th", { scope: "row", class: "name-column" }, word(cell))
          : html("td", { class: classOf(c) }, word(cell)),
      ),
    ),
  );
  const table = html("table", {}, html("thead", {}, html("tr", {}, ...head)), html("tbody", {}, ...body));
  const box = scrollBox("Subtasks", table);
  box.classList.add("tall");
  return html("section", { class: "episode-part" }, html("h3", {}, "Subtasks"), box);
}
