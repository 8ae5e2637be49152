import { isRightAnswer } from "../../contracts/trace.ts";
import type { ShownEpisode, ShownQuestion } from "../report-data.ts";
import { html, word } from "./create.ts";
import { shorten } from "./wording.ts";

/** The question with its options; the right one and the adversaries' target are marked. */
export function drawQuestion(question: ShownQuestion | undefined, { record }: ShownEpisode): HTMLElement {
  const box = html("div", { class: "question-box" });
  if (question === undefined) {
    box.append(html("p", { class: "note" }, "Simulated question ", word(record.question), ": it has no words."));
  } else box.append(html("p", { class: "question-text", dir: "auto" }, question.text));
  const options = question?.options ?? [];
  if (options.length > 0) {
    box.append(
      html(
        "ul",
        { class: "options" },
        ...options.map(([letter, text]) =>
          html("li", {}, html("b", {}, letter), html("span", {}, word(text), ...marksOf(letter, record))),
        ),
      ),
    );
  } else
    box.append(
      ...answerLine("Right answer: ", record.gold),
      ...answerLine("Target of the adversaries: ", record.target),
    );
  return box;
}

function marksOf(letter: string, record: ShownEpisode["record"]): HTMLElement[] {
  const marks: HTMLElement[] = [];
  if (isRightAnswer(record, letter)) marks.push(html("span", { class: "badge right" }, "✓ right"));
  if (record.target === letter) marks.push(html("span", { class: "badge foe" }, "◆ target"));
  return marks;
}

function answerLine(name: string, answer: string | null): HTMLElement[] {
  return answer === null ? [] : [html("p", { class: "note" }, name, word(shorten(answer, 400)))];
}
