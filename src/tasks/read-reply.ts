import { dropThoughts, isBlank } from "../base/thoughts.ts";
import { type AnswerKind, kindOf, type Question, type Reading } from "../contracts/task.ts";
import { readField } from "./reading/field.ts";
import { type Finding, nothing, toReading } from "./reading/finding.ts";
import { findChoice } from "./reading/read-choice.ts";
import { findCode } from "./reading/read-code.ts";
import { findNumber } from "./reading/read-number.ts";
import { findWords } from "./reading/read-words.ts";

/** What is read of a reply: what was said, why it ended, and whether the server says that the model refused. */
export interface Reply {
  readonly text: string;
  readonly finish: "stop" | "length" | "filtered" | "other";
  readonly refused?: boolean;
}

const finders: Readonly<Record<AnswerKind, (text: string, question: Question) => Finding>> = {
  choice: (text, { options }) => findChoice(text, options),
  number: findNumber,
  code: (text, { code }) => (code === undefined ? nothing : findCode(text, code)),
  text: findWords,
};

/**
 * Reads a reply by the kind of its question. Never an answer by default:
 *
 * - `refused`: the server says so, a filter held it back, or its words decline to answer;
 * - `empty`: nothing is said besides hidden thoughts (also where they never end);
 * - `truncated`: cut off at the token limit, and what was said until then states no answer to its end;
 * - `ambiguous`: several answers of equal standing; `unparsed`: none.
 *
 * In a reply that was cut off or held back only a stated answer counts (a cue, a closed box, a whole field, a closed
 * block of code). Of a structured reply its `answer` field is read, by kind.
 */
export function readReply(question: Question, reply: Reply): Reading {
  const isCut = reply.finish === "length" || reply.finish === "filtered";
  const cutStatus = reply.finish === "length" ? "truncated" : "refused";
  if (reply.refused) return { status: "refused", answer: null };
  const spoken = dropThoughts(reply.text);
  if (isBlank(spoken)) return { status: isCut ? cutStatus : "empty", answer: null };
  const field = isStructured(question, spoken) ? readField(spoken) : undefined;
  const finding = field === undefined ? find(question, spoken) : { ...find(question, field ?? ""), stated: true };
  if (isCut && !finding.stated) return { status: cutStatus, answer: null };
  return toReading(finding);
}

/** Braces inside a program are its own. */
const isStructured = (question: Question, text: string): boolean =>
  kindOf(question) !== "code" || /^\s*(?:(?:```|~~~)(?:json)?\s*)?\{/i.test(text);

const find = (question: Question, text: string): Finding =>
  isBlank(text) ? nothing : finders[kindOf(question)](text, question);
