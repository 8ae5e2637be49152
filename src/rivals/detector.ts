import { mean } from "../base/stats.ts";
import { cosineWithMean } from "../behaviour/neighbours.ts";
import type { Embedding } from "../contracts/agent.ts";
import type { Action, Observation, Weights } from "../contracts/policy.ts";
import type { PlayedEpisode, Rival, RivalState } from "./rival.ts";

/*
 * Removal of outliers without labels, as defences by graph anomaly detection do (G-Safeguard and its kin, whose detector is
 * trained on labelled attacks; this one is not): before every decision an agent is scored by
 *
 *     score_i = cos(e_i, mean_{j ≠ i} e_j)
 *
 * over behaviour embeddings, and is left out where score_i < mean − τ · deviation over the team, the lowest first and never
 * more than half of the team. Scores are taken anew each time, so who was left out may come back; what it said last is what
 * it is scored by. Agents without an embedding are not scored and stay; of fewer than three that have one, none is apart.
 *
 * τ is chosen from a small grid by the reward of training episodes; who is adversarial is never looked at.
 */

/** τ: how many deviations below the mean is too far; the first one leaves nobody out. */
export const grid = [Infinity, 1.5, 1, 0.5, 0] as const;

/** Sum of advantages by τ, and of how many episodes. */
const tallies = ["gain", "played"] as const;

/** Scores in deviations from the team's mean, N; 0 for those who have none. */
export function scoreBehaviour({ agents, eligibleN, embeddingsN }: Observation): Float32Array {
  const deviationsN = new Float32Array(agents);
  const scored = Array.from(eligibleN.keys()).filter((i) => eligibleN[i] === 1 && embeddingsN[i] !== null);
  if (scored.length < 3) return deviationsN;
  const embeddings = scored.map((i) => embeddingsN[i] as Embedding);
  // By place: two agents that say the same may share one embedding.
  const scores = embeddings.map((own, k) =>
    cosineWithMean(
      own,
      embeddings.filter((_, other) => other !== k),
    ),
  );
  const centre = mean(scores);
  const deviation = Math.sqrt(mean(scores.map((score) => (score - centre) ** 2)));
  // Equal scores differ by rounding alone.
  if (deviation > 1e-9) for (const [k, i] of scored.entries()) deviationsN[i] = (scores[k] - centre) / deviation;
  return deviationsN;
}

/** z without those further than τ deviations below the mean, N. */
export function leaveOut(deviationsN: Float32Array, { eligibleN }: Observation, τ: number): Uint8Array {
  const participantsN = eligibleN.slice();
  const present = Array.from(eligibleN.keys()).filter((i) => eligibleN[i] === 1);
  const apart = present
    .filter((i) => deviationsN[i] < -τ)
    .sort((a, b) => deviationsN[a] - deviationsN[b])
    .slice(0, Math.floor(present.length / 2));
  for (const i of apart) participantsN[i] = 0;
  return participantsN;
}

/** The τ of the highest mean advantage; the more lenient one on ties, and the most lenient before anything was played. */
function bestOf(weights: Weights): number {
  const [gains, played] = tallies.map((name) => weights[name].data);
  const meanOf = (k: number): number => (played[k] > 0 ? gains[k] / played[k] : -Infinity);
  return grid[grid.reduce((best, _, k) => (meanOf(k) > meanOf(best) ? k : best), 0)];
}

/**
 * Which τ an episode was played under is read back from what was done: it counts for all that would have done the same, in
 * equal parts. That is as unbiased as knowing the one that was drawn, since each of them was as likely, and less noisy.
 */
function learn({ weights }: RivalState, batch: readonly PlayedEpisode[]): RivalState {
  const [gains, played] = tallies.map((name) => Float64Array.from(weights[name].data));
  for (const { decisions, advantage } of batch) {
    const seen = decisions.map(({ observation, action }) => ({
      observation,
      deviationsN: scoreBehaviour(observation),
      taken: action.participantsN.join(),
    }));
    const alike = [...grid.keys()].filter((k) =>
      seen.every(({ observation, deviationsN, taken }) => leaveOut(deviationsN, observation, grid[k]).join() === taken),
    );
    for (const k of alike) {
      gains[k] += advantage / alike.length;
      played[k] += 1 / alike.length;
    }
  }
  return {
    weights: {
      gain: { shape: [grid.length], data: Float32Array.from(gains) },
      played: { shape: [grid.length], data: Float32Array.from(played) },
    },
  };
}

/** A debate without agents whose utterances lie apart. Credits are scores, so ties go to who is nearest to the others. */
export const detector: Rival = {
  summary: "a complete debate without agents whose utterances lie apart from the others' (unsupervised removal)",
  begin: () => ({
    weights: Object.fromEntries(
      tallies.map((name) => [name, { shape: [grid.length], data: new Float32Array(grid.length) }]),
    ),
  }),
  policy: (weights, _shape, participation) => ({
    name: "detector",
    begin: ({ rng }) => {
      const τ = participation === "sampled" ? rng.pick(grid) : bestOf(weights);
      return {
        act(observation: Observation): Action {
          const creditsN = scoreBehaviour(observation);
          return { creditsN, participantsN: leaveOut(creditsN, observation, τ) };
        },
      };
    },
  }),
  learn,
};
