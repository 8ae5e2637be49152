import { html, word } from "../../page/create.ts";
import { count, shorten } from "../../page/wording.ts";
import { type TraceRow, traceKinds, traceRows } from "../episode/trace-rows.ts";
import { agentName, hoursOf } from "../episode/wording.ts";
import type { ShownWorkplaceEpisode } from "../report-data.ts";
import { labelled, select } from "./choice.ts";

/** Lines drawn at once, and added by a press of the button. */
const pageSize = 150;
/** Longer texts are folded. */
const longText = 180;

/** The trace of reasons: what happened in which order and why, by agent and by kind. */
export function showTrace(episode: ShownWorkplaceEpisode): HTMLElement {
  const rows = traceRows(episode);
  const agents = episode.members.map((_, agent): [string, string] => [String(agent), agentName(episode, agent)]);
  const present = new Set(rows.map(({ kind }) => kind));
  const kinds = Object.entries(traceKinds).filter(([kind]) => present.has(kind as TraceRow["kind"]));
  const agent = select([["", "everybody"], ...agents]);
  const kind = select([["", "everything"], ...kinds]);
  const found = html("p", { class: "note", role: "status" });
  const body = html("tbody");
  const more = html("button", { type: "button" });
  let matching: readonly TraceRow[] = [];
  let shown = 0;

  const showMore = (): void => {
    const next = matching.slice(shown, shown + pageSize);
    body.append(...next.map((row) => drawRow(episode, row)));
    shown += next.length;
    const left = matching.length - shown;
    more.hidden = left === 0;
    more.textContent = `Show ${Math.min(left, pageSize)} more of ${left}`;
  };
  const filter = (): void => {
    matching = rows.filter(
      (row) =>
        (agent.value === "" || row.agents.includes(Number(agent.value))) &&
        (kind.value === "" || row.kind === kind.value),
    );
    body.replaceChildren();
    shown = 0;
    found.textContent = matching.length === 0 ? "Nothing matches." : `${count(matching.length, "line")}.`;
    showMore();
  };
  more.addEventListener("click", () => {
    const first = shown;
    showMore();
    // The button moves down: the focus stays where the new lines begin.
    const row = body.rows[first];
    row?.setAttribute("tabindex", "-1");
    row?.focus();
  });
  const form = html("form", { class: "filters", role: "search", "aria-label": "Filter the trace" });
  form.append(labelled("Agent", agent), labelled("Kind", kind));
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", filter);
  filter();
  const head = ["Hours", "Who", "What and why"].map((title) => html("th", { scope: "col" }, title));
  return html(
    "section",
    { class: "episode-part trace" },
    html("h3", {}, "Trace of reasons"),
    form,
    found,
    html(
      "div",
      { class: "scroll tall", role: "region", tabindex: 0, "aria-label": "Trace of reasons" },
      html("table", {}, html("thead", {}, html("tr", {}, ...head)), body),
    ),
    more,
  );
}

function drawRow(episode: ShownWorkplaceEpisode, row: TraceRow): HTMLElement {
  const time = row.to - row.from > 1 ? `${hoursOf(row.from)}–${hoursOf(row.to)}` : String(hoursOf(row.from));
  const who =
    row.agent === null
      ? html("td")
      : html("th", { scope: "row", class: "who-column" }, word(agentName(episode, row.agent)));
  return html(
    "tr",
    {},
    html("td", { class: "hours-column" }, time),
    who,
    html(
      "td",
      {},
      word(row.what),
      row.reason === undefined || row.reason === "" ? null : html("div", { class: "reason" }, foldLong(row.reason)),
      row.quote === undefined ? null : html("blockquote", {}, foldLong(row.quote)),
    ),
  );
}

const foldLong = (text: string): HTMLElement =>
  text.length <= longText ? word(text) : html("details", {}, html("summary", {}, word(shorten(text, 100))), word(text));
