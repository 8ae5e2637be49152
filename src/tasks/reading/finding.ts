import type { Reading } from "../../contracts/task.ts";

/** What a reader found in the text of a reply, before the way the reply ended is taken into account. */
export interface Finding {
  /** Answers in normal form: none, one, or several of equal standing. */
  readonly answers: readonly string[];
  /** Said to be the answer and said to its end: by a cue, a closed box, a field. Holds in a reply that was cut off. */
  readonly stated: boolean;
  /** The words decline to answer. */
  readonly refused?: boolean;
}

export const nothing: Finding = { answers: [], stated: false };

/** One answer is `parsed`, several are `ambiguous`, none is `unparsed` or `refused`. */
export function toReading({ answers, refused }: Finding): Reading {
  if (answers.length === 1) return { status: "parsed", answer: answers[0] };
  if (answers.length > 1) return { status: "ambiguous", answer: null, candidates: answers };
  return { status: refused ? "refused" : "unparsed", answer: null };
}
