import type { AnswerKind } from "../contracts/task.ts";
import { choiceAnswers, type Drafted } from "./choice-answers.ts";
import type { DraftedFile } from "./draft-files.ts";
import { fieldError } from "./files/data-record.ts";
import { isNumberAnswer, openAnswer } from "./open-answers.ts";
import type { TaskSettings } from "./task-settings.ts";

const isMissing = (answer: unknown): boolean =>
  answer === undefined || answer === null || (typeof answer === "string" && answer.trim() === "");

/** `choice` where there are options, `number` where every answer is one, else `text`. */
export function guessKind(files: readonly DraftedFile[]): AnswerKind {
  const drafts = files.flatMap((file) => file.drafts);
  if (drafts.some(({ draft }) => draft.options !== undefined)) return "choice";
  const answered = drafts.filter(({ draft }) => !isMissing(draft.answer));
  return answered.length > 0 && answered.every(isNumberAnswer) ? "number" : "text";
}

/** The answers of a file in normal form; all `null` where nobody named a field for them and there is none. */
export function goldAnswers(
  drafts: readonly Drafted[],
  kind: AnswerKind,
  { fields }: TaskSettings,
  isBenchmark: boolean,
  warnings: string[],
): (string | null)[] {
  if (kind === "choice") {
    const open = drafts.find(({ draft }) => draft.options === undefined);
    if (open) throw fieldError(open.record, "options", "is missing", "Name it: fields.options; or set another kind.");
  }
  const missing = drafts.filter(({ draft }) => isMissing(draft.answer));
  const mayMiss = kind === "code" || (!isBenchmark && fields?.answer === undefined);
  if (missing.length === drafts.length && mayMiss) {
    if (kind !== "code")
      warnings.push(`${drafts[0].record.file} has no answers: its questions can be asked, never scored`);
    return drafts.map(() => null);
  }
  if (missing.length > 0) {
    const [{ record, draft }] = missing;
    throw fieldError(record, draft.answerField, `holds no answer (${missing.length} of ${drafts.length} records)`);
  }
  if (kind !== "choice") return drafts.map((drafted) => openAnswer(drafted, kind));
  const { letters, warnings: more } = choiceAnswers(drafts, fields?.answerBase);
  warnings.push(...more);
  return letters;
}
