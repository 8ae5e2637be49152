import type { Embedding } from "../contracts/agent.ts";
import type { Action, Observation } from "../contracts/policy.ts";
import type { EpisodeRecord, EpisodeTrace } from "../contracts/trace.ts";
import type { WorldReading } from "./world-reading.ts";

/** What the policy saw and did at one decision. */
export interface Decision {
  readonly observation: Observation;
  readonly action: Action;
}

/** One played episode with all its decisions. */
export interface Rollout<R extends EpisodeTrace = EpisodeRecord> {
  readonly record: R;
  readonly decisions: readonly Decision[];
  /** Index of the start it was played from. */
  readonly group: number;
}

/**
 * A batch laid out for one pass of the network: D decisions × B episodes × N agents, rows in that order (row =
 * (d·B + b)·N + i), so that step d of the recurrence is one block. Episodes with fewer decisions or agents are
 * padded; padding is masked out everywhere.
 */
export interface Batch {
  readonly decisions: number;
  readonly episodes: number;
  readonly agents: number;
  readonly embeddings: readonly (Embedding | null)[];
  /** rows × S. */
  readonly scalars: Float32Array;
  /** z. */
  readonly chosen: Float32Array;
  /** 1 where the agent's own draw counts in log π: eligible, not forced, not there by the floor alone, not padding. */
  readonly free: Float32Array;
  /** 1 where there is a decision at all, 0 on padding. */
  readonly present: Float32Array;
  /** 1 where the decision head speaks. */
  readonly decides: Float32Array;
  /** c as the rollout computed it, for the check against the recomputed one. */
  readonly credits: Float32Array;
  /** log π of each decision as sampled, D × B. */
  readonly logProbabilities: Float32Array;
  /** 1 where the agent's latest answer is right; nowhere in worlds without answers. */
  readonly supports: Float32Array;
  /** 1 where its latest answer can be read at all. */
  readonly readable: Float32Array;
}

/** Packs rollouts of one world (equal S). */
export function packBatch<R extends EpisodeTrace>(
  rollouts: readonly Rollout<R>[],
  { answers }: WorldReading<R>,
): Batch {
  const episodes = rollouts.length;
  const first = rollouts[0].decisions[0].observation;
  const width = first.scalarsNS.length / first.agents;
  // Teams may differ in size: the rows of absent agents are padding as well.
  const agents = Math.max(...rollouts.map((rollout) => rollout.decisions[0].observation.agents));
  const decisions = Math.max(...rollouts.map((rollout) => rollout.decisions.length));
  const rows = decisions * episodes * agents;
  const zeros = (): Float32Array => new Float32Array(rows);
  const batch = {
    decisions,
    episodes,
    agents,
    embeddings: new Array<Embedding | null>(rows).fill(null),
    scalars: new Float32Array(rows * width),
    chosen: zeros(),
    free: zeros(),
    present: zeros(),
    decides: zeros(),
    credits: zeros(),
    logProbabilities: new Float32Array(decisions * episodes),
    supports: zeros(),
    readable: zeros(),
  };
  rollouts.forEach((rollout, b) => {
    rollout.decisions.forEach(({ observation, action }, d) => {
      const base = (d * episodes + b) * agents;
      const isRightN = answers?.heldBefore(rollout.record, observation.round, observation.agents);
      batch.scalars.set(observation.scalarsNS, base * width);
      batch.logProbabilities[d * episodes + b] = action.logProbability ?? 0;
      for (let i = 0; i < observation.agents; i++) {
        batch.embeddings[base + i] = observation.embeddingsN[i];
        batch.chosen[base + i] = action.participantsN[i];
        batch.free[base + i] = action.countedN?.[i] ?? 0;
        batch.present[base + i] = 1;
        batch.decides[base + i] = observation.head === "decide" ? 1 : 0;
        batch.credits[base + i] = action.creditsN[i];
        const isRight = isRightN?.[i] ?? null;
        batch.readable[base + i] = isRight === null ? 0 : 1;
        batch.supports[base + i] = isRight ? 1 : 0;
      }
    });
  });
  return batch;
}
