import type { EpisodeBrowser, ShownEpisode } from "../report-data.ts";
import { html, word } from "./create.ts";
import { drawQuestion } from "./draw-question.ts";
import type { EpisodeGroup } from "./episode-groups.ts";
import { drawLegend } from "./legend.ts";
import { drawPanel } from "./panel.ts";
import { drawScore, type Place, type Score } from "./score.ts";
import { summarize } from "./summary.ts";
import { outcomeMarks, shorten } from "./wording.ts";

/** Where one episode is shown under one method. */
export interface Stage {
  readonly element: HTMLElement;
  show(group: EpisodeGroup, episode: ShownEpisode): void;
  /** Closes the panel; says whether it was open. */
  close(): boolean;
}

export function createStage(questions: EpisodeBrowser["questions"], chooseMethod: (method: string) => void): Stage {
  const place = html("h3", { class: "place" });
  const methods = html("div", { class: "methods", role: "group", "aria-label": "Method" });
  const sentence = html("p", { class: "sentence", "aria-live": "polite" });
  const question = html("div");
  const rounds = html("div");
  const shelf = html("div", { class: "shelf" });
  const hint = html("p", { class: "note hint" }, "Choose an agent to read what it said.");
  const element = html("div", { class: "stage" }, place, methods, sentence, question, rounds, drawLegend(), shelf);
  let score: Score | null = null;
  let shown: ShownEpisode | null = null;
  let open: Place | null = null;

  const openPanel = (next: Place): void => {
    if (shown === null || score === null) return;
    open = next;
    score.select(next);
    const visit = (agent: number): void => {
      openPanel({ round: next.round, agent });
      score?.focus({ round: next.round, agent });
    };
    shelf.replaceChildren(drawPanel(shown, next.agent, next.round, { visit, close: () => close() }));
    element.classList.add("reading");
    keepInView(score.boxesOf(next), shelf.getBoundingClientRect());
  };
  const close = (): boolean => {
    const was = open;
    open = null;
    score?.select(null);
    shelf.replaceChildren(hint);
    element.classList.remove("reading");
    if (was !== null) score?.focus(was);
    return was !== null;
  };

  function show(group: EpisodeGroup, episode: ShownEpisode): void {
    const hadFocus = rounds.contains(document.activeElement) || shelf.contains(document.activeElement);
    const isSameEpisode = shown !== null && group.episodes.includes(shown);
    const kept = isSameEpisode && open !== null && open.round <= episode.record.rounds.length ? open : null;
    shown = episode;
    place.textContent = `Episode ${group.number} · ${group.cell}`;
    const choosesMethod = methods.contains(document.activeElement);
    methods.replaceChildren(...group.episodes.map((one) => methodButton(one, one === episode, chooseMethod)));
    if (choosesMethod) methods.querySelector<HTMLElement>('[aria-pressed="true"]')?.focus();
    sentence.textContent = summarize(episode);
    sentence.className = `sentence ${episode.record.outcome}`;
    const known = Object.hasOwn(questions, group.questionId) ? questions[group.questionId] : undefined;
    question.replaceChildren(drawQuestion(known, episode));
    score = drawScore(episode, { open: openPanel, moved: (next) => open !== null && openPanel(next) });
    rounds.replaceChildren(score.element);
    open = null;
    if (kept === null) {
      shelf.replaceChildren(hint);
      element.classList.remove("reading");
    } else openPanel(kept);
    if (hadFocus) score.focus(kept ?? { round: 1, agent: 0 });
  }
  return { element, show, close };
}

/** Scrolls where the panel would hide the round it speaks of, as far as there is room above it, and its node always. */
function keepInView(boxes: { readonly round: DOMRect; readonly node: DOMRect } | undefined, panel: DOMRect): void {
  if (boxes === undefined) return;
  const { round, node } = boxes;
  const hidden = Math.max(Math.min(round.bottom + 8 - panel.top, round.top - 8), node.bottom + 8 - panel.top);
  if (hidden > 0) window.scrollBy({ top: hidden, behavior: "instant" });
}

function methodButton(
  { method, record }: ShownEpisode,
  isShown: boolean,
  choose: (method: string) => void,
): HTMLElement {
  const button = html(
    "button",
    { type: "button", class: "method", "aria-pressed": String(isShown), "aria-label": `${method}: ${record.outcome}` },
    html("span", { class: `outcome ${record.outcome}`, "aria-hidden": "true" }, outcomeMarks[record.outcome]),
    word(shorten(method, 60)),
  );
  button.addEventListener("click", () => choose(method));
  return button;
}
