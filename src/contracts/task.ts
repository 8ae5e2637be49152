/**
 * A question that a team is asked, with its gold answer.
 *
 * Answers are compared as strings in normal form: the option letter `"A"`, `"B"`, … for a choice, the normalised value
 * for an open question. The policy never sees `gold`.
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
}

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
