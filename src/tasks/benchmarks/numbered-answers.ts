import { type DataRecord, fieldError, show, textAt, valueAt } from "../files/data-record.ts";
import type { Form } from "./benchmark.ts";
import { checkOptions } from "./read-options.ts";

const lead = "Please choose the correct answer to the question:";

/**
 * Choices written into an instruction, as the LLM-Adapters repository has them: the question, a blank line, `Answer1: …
 * Answer2: …` (three to five), a blank line, `Answer format: answer1/answer2/…`. The last line says how many answers there
 * are, so that a text like "Answer4: " inside a question or an answer misleads nobody.
 */
export const numberedAnswers: Form = {
  fits: (fields) =>
    typeof fields.instruction === "string" && /Answer1:/.test(fields.instruction) && Object.hasOwn(fields, "answer"),
  read: (record) => {
    const { text, texts } = splitInstruction(record);
    const labels = texts.map((_, index) => `answer${index + 1}`);
    return {
      text,
      options: checkOptions(record, "instruction", { texts, labels }),
      answer: valueAt(record.fields, "answer"),
      answerField: "answer",
    };
  },
};

function splitInstruction(record: DataRecord): { text: string; texts: string[] } {
  const whole = textAt(record, "instruction");
  const formatAt = whole.lastIndexOf("Answer format:");
  const count = formatAt < 0 ? 0 : whole.slice(formatAt).split("/").length;
  const answersAt = whole.lastIndexOf("\n\nAnswer1:", formatAt);
  if (count === 0 || answersAt < 0) {
    throw fieldError(record, "instruction", `has no "Answer1: … Answer format: answer1/…": ${show(whole)}`);
  }
  const question = whole.slice(0, answersAt).trim();
  const texts: string[] = [];
  let rest = whole.slice(answersAt, formatAt).trim();
  for (let number = count; number >= 1; number--) {
    const mark = `Answer${number}:`;
    const at = rest.lastIndexOf(mark);
    if (at < 0) throw fieldError(record, "instruction", `names ${count} answers and has no "${mark}"`);
    texts.unshift(rest.slice(at + mark.length).trim());
    rest = rest.slice(0, at);
  }
  return { text: question.startsWith(lead) ? question.slice(lead.length).trim() : question, texts };
}
