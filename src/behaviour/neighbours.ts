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
 * embedding is the mean of products, and its length is that of the sum.
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
  for (const other of others) product += dot(own, other);
  const norms = Math.sqrt(dot(own, own) * squaredLengthOfSum(others));
  // Where the others cancel each other out, rounding could give anything.
  return norms > 0 ? Math.min(1, Math.max(-1, product / norms)) : 0;
}

/** Up to here, products of pairs are cheaper than adding up vectors of thousands of places. */
const few = 8;

function squaredLengthOfSum(vectors: readonly Embedding[]): number {
  let squares = 0;
  if (vectors.length <= few) {
    for (let a = 0; a < vectors.length; a++) {
      squares += dot(vectors[a], vectors[a]);
      for (let b = 0; b < a; b++) squares += 2 * dot(vectors[a], vectors[b]);
    }
  } else {
    const total = new Float64Array(vectors[0].dimension);
    for (const { indices, values } of vectors) {
      for (let k = 0; k < values.length; k++) total[indices ? indices[k] : k] += values[k];
    }
    for (const value of total) squares += value * value;
  }
  return squares;
}
