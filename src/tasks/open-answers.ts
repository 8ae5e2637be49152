import type { AnswerKind } from "../contracts/task.ts";
import { finalAnswer } from "./benchmarks/benchmark.ts";
import type { Drafted } from "./choice-answers.ts";
import { asText, fieldError, show } from "./files/data-record.ts";
import { normalizeNumber } from "./reading/normalize-number.ts";
import { normalizeWords } from "./reading/read-words.ts";

/** A draft's answer in normal form. @throws ColloquyError `task/field` with file, line, field and value */
export function openAnswer(drafted: Drafted, kind: Exclude<AnswerKind, "choice">): string {
  const { record, draft } = drafted;
  if (kind === "number") return numberAnswer(drafted);
  const text = asText(record, draft.answerField, draft.answer);
  return kind === "code" ? text : normalizeWords(text);
}

/** Whether the answer can be read as a number. */
export function isNumberAnswer({ record, draft }: Drafted): boolean {
  if (typeof draft.answer === "number") return true;
  return (
    typeof draft.answer === "string" && normalizeNumber(finalAnswer(record, draft.answerField, draft.answer)) !== null
  );
}

function numberAnswer({ record, draft }: Drafted): string {
  const { answer, answerField } = draft;
  if (typeof answer === "number" && Math.abs(answer) > Number.MAX_SAFE_INTEGER) {
    throw fieldError(record, answerField, `is ${answer}, too large to be exact`, "Write it as text, in quotes.");
  }
  const number = normalizeNumber(finalAnswer(record, answerField, asText(record, answerField, answer)).trim());
  if (number !== null) return number;
  throw fieldError(record, answerField, `is ${show(answer)}, which is not a number`);
}
