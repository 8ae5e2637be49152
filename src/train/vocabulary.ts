import type { Weights } from "../contracts/policy.ts";
import type { EpisodeTrace } from "../contracts/trace.ts";
import type { Rollout } from "./batch.ts";

/** Name of the embedding projection among the weights, [P, D]. */
const projection = "embed.weight";

/**
 * Silences embedding places (hashed words) that occur in the utterances of fewer than `minimumQuestions` training
 * questions: a word of one question says nothing about the next, and a policy that leans on it does not carry over [ours].
 * A silenced place has a column of zeros, so that the exported policy needs to know nothing of it.
 */
export function silenceRarePlaces(
  weights: Weights,
  rollouts: readonly Rollout<EpisodeTrace>[],
  minimumQuestions: number,
): Weights {
  const matrix = weights[projection];
  if (matrix === undefined || minimumQuestions <= 0) return weights;
  const dimension = matrix.shape[1];
  const counts = countQuestions(rollouts, dimension);
  const data = matrix.data.slice();
  for (let k = 0; k < data.length; k++) if (counts[k % dimension] < minimumQuestions) data[k] = 0;
  return { ...weights, [projection]: { ...matrix, data } };
}

/** Keeps silenced places silent through an update: columns that are all zero in `before` are zero in the result. */
export function keepSilence(before: Weights, after: Weights): Weights {
  const matrix = before[projection];
  if (matrix === undefined) return after;
  const [rows, dimension] = matrix.shape;
  const data = after[projection].data.slice();
  for (let place = 0; place < dimension; place++) {
    let row = 0;
    while (row < rows && matrix.data[row * dimension + place] === 0) row++;
    if (row === rows) for (row = 0; row < rows; row++) data[row * dimension + place] = 0;
  }
  return { ...after, [projection]: { ...after[projection], data } };
}

/** In how many questions each place of the embedding is ever other than 0. */
function countQuestions(rollouts: readonly Rollout<EpisodeTrace>[], dimension: number): Int32Array {
  const counts = new Int32Array(dimension);
  const lastSeen = new Map<string, Uint8Array>();
  for (const { record, decisions } of rollouts) {
    let seen = lastSeen.get(record.question);
    if (seen === undefined) {
      seen = new Uint8Array(dimension);
      lastSeen.set(record.question, seen);
    }
    for (const { observation } of decisions) {
      for (const embedding of observation.embeddingsN) {
        if (embedding === null) continue;
        const places = embedding.indices ?? embedding.values.keys();
        for (const place of places) {
          if (seen[place] === 1) continue;
          seen[place] = 1;
          counts[place]++;
        }
      }
    }
  }
  return counts;
}
