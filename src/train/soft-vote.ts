import { sigmoid } from "../base/sigmoid.ts";
import type { Batch } from "./batch.ts";

/**
 * The share of the last vote's weight that stands on the gold answer, episode by episode: Σ_{right} σ(c) / Σ_{readable} σ(c),
 * with the credits the rollout decided by; 0 where nobody could be read.
 */
export function softVotes({ decisions, episodes, agents, credits, supports, readable, present }: Batch): number[] {
  return Array.from({ length: episodes }, (_, b) => {
    for (let d = decisions - 1; d >= 0; d--) {
      const start = (d * episodes + b) * agents;
      if (present[start] === 0) continue;
      let right = 0;
      let all = 0;
      for (let row = start; row < start + agents; row++) {
        const weight = readable[row] * sigmoid(credits[row]);
        all += weight;
        right += weight * supports[row];
      }
      return all > 0 ? right / all : 0;
    }
    return 0;
  });
}
