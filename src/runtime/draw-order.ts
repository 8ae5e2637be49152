import type { Rng } from "../base/rng.ts";

/** An order that was drawn. */
export interface DrawnOrder {
  /** Scores whose falling order is the one drawn; N entries. */
  readonly scoresN: Float32Array;
  /** log of its probability among the orders of the participants. */
  readonly logProbability: number;
}

/**
 * Draws the order graphs rank agents in (Plackett, 1975; Luce, 1959): the first is drawn among the participants in
 * proportion to exp(trust), the next among the rest, and so on. Falling trust with Gumbel noise added is such a draw. Training
 * explores by it [ours]; judging and production take the order of trust itself.
 */
export function drawOrder(trustN: ArrayLike<number>, participantsN: ArrayLike<number>, rng: Rng): DrawnOrder {
  const scoresN = Float32Array.from(trustN, (trust) => trust - Math.log(-Math.log(Math.max(rng.uniform(), 1e-12))));
  return { scoresN, logProbability: orderLogProbability(trustN, rankOf(scoresN, participantsN)) };
}

/** Participants by falling score, ties by index. */
export const rankOf = (scoresN: ArrayLike<number>, participantsN: ArrayLike<number>): number[] =>
  Array.from({ length: scoresN.length }, (_, i) => i)
    .filter((i) => participantsN[i] === 1)
    .sort((i, j) => scoresN[j] - scoresN[i] || i - j);

/** Σ_k trust(k) − log Σ_{m ≥ k} exp trust(m), over the places k of an order. */
export function orderLogProbability(trustN: ArrayLike<number>, order: readonly number[]): number {
  let rest = 0;
  let total = 0;
  for (let k = order.length - 1; k >= 0; k--) {
    rest += Math.exp(trustN[order[k]]);
    total += trustN[order[k]] - Math.log(rest);
  }
  return total;
}
