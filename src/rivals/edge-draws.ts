import type { Rng } from "../base/rng.ts";
import { sigmoid, softplus } from "../base/sigmoid.ts";

/*
 * One bit for each ordered pair of agents, drawn independently. Every bit counts in the log-probability, whether or not the
 * graph rule keeps its edge: peers that count the pairs they came to, in index order, favour agents of low index.
 */

/** An edge as [source, target]. */
export type Edge = readonly [number, number];

/** Logits of a decision, N×N row-major: entry i·N + j is that of the edge i → j; the diagonal is not used. */
export interface EdgeLogits<Numbers = ArrayLike<number>> {
  readonly spatialNN: Numbers;
  /** Of the edges through time; absent: none are asked for. */
  readonly temporalNN?: Numbers;
}

/**
 * The logit that learning begins at: an agent is expected to hear one other. Were every edge as likely as not, most of those
 * drawn would find no room under a degree budget, and whether one of them was drawn would change nothing [ours].
 */
export const startLogit = (agents: number): number => -Math.log(Math.max(1, agents - 2));

/** Each pair with probability σ(θ). The order is random too, since the graph rule takes edges in order. */
export function drawEdges(logitsNN: ArrayLike<number>, agents: number, rng: Rng): Edge[] {
  return rng.shuffle(listPairs(agents).filter(([i, j]) => rng.uniform() < sigmoid(logitsNN[i * agents + j])));
}

/** The pairs of which σ(θ) ≥ ½, the most likely first, ties by index: nothing is drawn. */
export function likelyEdges(logitsNN: ArrayLike<number>, agents: number): Edge[] {
  return rankPairs(logitsNN, agents).filter(([i, j]) => logitsNN[i * agents + j] >= 0);
}

/** All ordered pairs by falling logit, ties by index. */
export function rankPairs(logitsNN: ArrayLike<number>, agents: number): Edge[] {
  const logitOf = ([i, j]: Edge): number => logitsNN[i * agents + j];
  return listPairs(agents).sort((a, b) => logitOf(b) - logitOf(a));
}

/** log π of a draw: Σ over all pairs of log σ(θ) where the edge was drawn and log(1 − σ(θ)) where it was not. */
export function logProbabilityOf(logitsNN: ArrayLike<number>, agents: number, edges: readonly Edge[]): number {
  const drawnNN = markEdges(agents, edges);
  let sum = 0;
  for (const [i, j] of listPairs(agents)) {
    const logit = logitsNN[i * agents + j];
    sum -= softplus(drawnNN[i * agents + j] === 1 ? -logit : logit);
  }
  return sum;
}

/** ∂/∂θ of `weight` · log π, N×N: weight · (bit − σ(θ)) for every pair, 0 on the diagonal. */
export function scoreOf(
  logitsNN: ArrayLike<number>,
  agents: number,
  edges: readonly Edge[],
  weight: number,
): Float64Array {
  const drawnNN = markEdges(agents, edges);
  const score = new Float64Array(agents * agents);
  for (const [i, j] of listPairs(agents)) {
    const place = i * agents + j;
    score[place] = weight * (drawnNN[place] - sigmoid(logitsNN[place]));
  }
  return score;
}

/** All ordered pairs of different agents, by index. */
export function listPairs(agents: number): Edge[] {
  const pairs: Edge[] = [];
  for (let i = 0; i < agents; i++) for (let j = 0; j < agents; j++) if (i !== j) pairs.push([i, j]);
  return pairs;
}

function markEdges(agents: number, edges: readonly Edge[]): Uint8Array {
  const drawnNN = new Uint8Array(agents * agents);
  for (const [i, j] of edges) drawnNN[i * agents + j] = 1;
  return drawnNN;
}
