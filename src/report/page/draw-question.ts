import { cutText } from "../../base/cut-text.ts";
import type { ShownEpisode, ShownQuestion } from "../report-data.ts";
import { drawAnswerKey, marksOf } from "./answer-key.ts";
import { nameAnswers } from "./answer-names.ts";
import { html, word } from "./create.ts";
import { shorten } from "./wording.ts";

/** The question with its options; the right one and the adversaries' target are marked. */
export function drawQuestion(question: ShownQuestion | undefined, { record }: ShownEpisode): HTMLElement {
  const box = html("div", { class: "question-box" });
  if (question === undefined) {
    box.append(html("p", { class: "note" }, "Simulated question ", word(record.question), ": it has no words."));
  } else box.append(...showText(question.text));
  const { numbered } = nameAnswers(record);
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
  } else if (numbered.length === 0 || record.right !== undefined)
    box.append(
      ...answerLine("Right answer: ", record.gold),
      ...(numbered.length === 0 ? answerLine("Target of the adversaries: ", record.target) : []),
    );
  if (numbered.length > 0) box.append(drawAnswerKey(record, numbered));
  return box;
}

/** Lines and characters of a question that are shown at once. */
const most = { lines: 12, characters: 1500 };

function showText(text: string): HTMLElement[] {
  const whole = html("p", { class: "question-text", dir: "auto" }, text);
  const lines = text.split("\n");
  if (lines.length <= most.lines && text.length <= most.characters) return [whole];
  const begin = cutText(lines.slice(0, most.lines).join("\n"), most.characters);
  return [
    html("p", { class: "question-text screen-only", dir: "auto" }, begin),
    html("details", { class: "whole-question" }, html("summary", {}, "The whole question"), whole),
  ];
}

function answerLine(name: string, answer: string | null): HTMLElement[] {
  return answer === null ? [] : [html("p", { class: "note" }, name, word(shorten(answer, 400)))];
}
