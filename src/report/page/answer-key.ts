import { type EpisodeRecord, isRightAnswer } from "../../contracts/trace.ts";
import { html, word } from "./create.ts";
import { shorten } from "./wording.ts";

/** Answers listed in view; the others are folded. */
const mostListed = 10;
const longAnswer = 160;

/** What the numbers of the answers stand for, in full. */
export function drawAnswerKey(record: EpisodeRecord, numbered: readonly (readonly [string, string])[]): HTMLElement {
  const entries = numbered.map(([name, answer]) =>
    html(
      "li",
      {},
      html("b", {}, name),
      html("div", {}, ...marksOf(answer, record), isLong(answer) ? folded(answer) : word(answer)),
    ),
  );
  const list = (some: readonly HTMLElement[]): HTMLElement => html("ul", { class: "options answer-key" }, ...some);
  const more = entries.slice(mostListed);
  return html(
    "div",
    { role: "group", "aria-label": "Answers" },
    list(entries.slice(0, mostListed)),
    more.length === 0 ? null : html("details", {}, html("summary", {}, `${more.length} more answers`), list(more)),
  );
}

/** Marks of an answer: right, and the adversaries' target. */
export function marksOf(answer: string, record: EpisodeRecord): HTMLElement[] {
  const marks: HTMLElement[] = [];
  if (isRightAnswer(record, answer)) marks.push(html("span", { class: "badge right" }, "✓ right"));
  if (record.target === answer) marks.push(html("span", { class: "badge foe" }, "◆ target"));
  return marks;
}

/** An answer as it was given: of several lines it is most likely code. */
export const fullAnswer = (answer: string): HTMLElement =>
  answer.includes("\n") ? html("pre", { class: "code" }, answer) : word(answer);

const isLong = (answer: string): boolean => answer.length > longAnswer || answer.includes("\n");

const folded = (answer: string): HTMLElement =>
  html("details", {}, html("summary", {}, word(shorten(answer, 90))), fullAnswer(answer));
