import type { Embedding } from "../contracts/agent.ts";
import { dot } from "./vectors.ts";

/** Who heard whom in the last round, in compressed rows: agent i heard `ids[offsets[i]]` to `ids[offsets[i + 1] - 1]`. */
export interface Hearing {
  readonly offsets: Int32Array;
  readonly ids: Int32Array;
}

/** Nobody heard anybody. */
export const silence = (agents: number): Hearing => ({ offsets: new Int32Array(agents + 1), ids: new Int32Array(0) });

/** How many voices agent `i` heard. */
export const heardCount = (hearing: Hearing, i: number): number => hearing.offsets[i + 1] - hearing.offsets[i];

/** Share of the voices heard by `i` that gave the answer `i` now gives; 0 where it heard none or has no answer. */
export function shareOfHeardWithSameAnswer(hearing: Hearing, i: number, answersN: readonly (string | null)[]): number {
  const count = heardCount(hearing, i);
  if (count === 0 || answersN[i] === null) return 0;
  let same = 0;
  for (let e = hearing.offsets[i]; e < hearing.offsets[i + 1]; e++)
    if (answersN[hearing.ids[e]] === answersN[i]) same++;
  return same / count;
}

/**
 * Cosine of `i`'s embedding with the mean embedding of those it heard. The mean is never built: its product with the own
 * embedding is the mean of products, and its length follows from the products among those heard.
 */
export function cosineWithHeard(hearing: Hearing, i: number, embeddingsN: readonly (Embedding | null)[]): number {
  const own = embeddingsN[i];
  const heard: Embedding[] = [];
  for (let e = hearing.offsets[i]; e < hearing.offsets[i + 1]; e++) {
    const other = embeddingsN[hearing.ids[e]];
    if (other !== null) heard.push(other);
  }
  return own === null ? 0 : cosineWithMean(own, heard);
}

/** Cosine of a vector with the mean of others; 0 where there is none. */
export function cosineWithMean(own: Embedding, others: readonly Embedding[]): number {
  let product = 0;
  let squares = 0;
  for (let a = 0; a < others.length; a++) {
    product += dot(own, others[a]);
    squares += dot(others[a], others[a]);
    for (let b = 0; b < a; b++) squares += 2 * dot(others[a], others[b]);
  }
  const norms = Math.sqrt(dot(own, own) * squares);
  return norms > 0 ? product / norms : 0;
}
