/**
 * A question that a team is asked, with its gold answer.
 *
 * Answers are compared as strings in normal form: the option letter `"A"`, `"B"`, … for a choice, the normalised value
 * for a number (`-1234.5`), the program for code, words in lower case else. The policy never sees `gold`.
 */
export interface Question {
  /** Stable identity inside its benchmark. */
  readonly id: string;
  readonly text: string;
  /** Option texts in order (`options[0]` is `A`); empty for an open question. */
  readonly options: readonly string[];
  /** The right answer in normal form; `null` when the source has none (such a question can be asked, never scored). */
  readonly gold: string | null;
  /** Subject, family or topic, where the source names one. */
  readonly subject?: string;
  /** How replies are read and judged. Default: `choice` where there are options, else `text`. */
  readonly kind?: AnswerKind;
  /** What a `code` question is judged by. */
  readonly code?: CodeTask;
  /** The part of its benchmark it comes from (`train`, `dev`, `test`, …), where there are parts. */
  readonly part?: string;
}

/** Kinds of answers: an option letter, a number, a program, or any words. */
export type AnswerKind = "choice" | "number" | "code" | "text";

/** A program to write, judged by running it. */
export interface CodeTask {
  /** Signature and docstring that the program begins with. */
  readonly prompt: string;
  /** Name of the function the tests call. */
  readonly entryPoint: string;
  /** Python source that raises when the program is wrong. */
  readonly test: string;
}

export const kindOf = ({ kind, options }: Pick<Question, "kind" | "options">): AnswerKind =>
  kind ?? (options.length > 0 ? "choice" : "text");

/** Judges an answer in normal form. Absent from a world, an answer is right when it equals the gold one. */
export type Grader = (question: Question, answer: string) => boolean | Promise<boolean>;

/** How a reply was read. Only `parsed` carries an answer; no other status is ever right. */
export type ReplyStatus = "parsed" | "unparsed" | "ambiguous" | "empty" | "refused" | "truncated";

/** What was read in a reply. `answer` is `null` unless `status` is `parsed`. */
export interface Reading {
  readonly status: ReplyStatus;
  readonly answer: string | null;
  /** For `ambiguous`: the candidates it could not choose between, in order of appearance. */
  readonly candidates?: readonly string[];
}

/** The letter of option `index`: 0 → `A`. */
export const optionLetter = (index: number): string => String.fromCharCode(65 + index);
