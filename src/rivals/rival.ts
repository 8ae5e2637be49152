import type { Rng } from "../base/rng.ts";
import type { Action, Observation, Policy, Weights } from "../contracts/policy.ts";
import type { EpisodeRecord } from "../contracts/trace.ts";

/*
 * A rival is another way of deciding who speaks to whom, as others publish it, rebuilt on the contracts of this project: it
 * sees what the credit policy sees (and the words behind it), knows no more of the truth, and is trained by the same trainer
 * on the same questions and attacks for as many agent calls.
 */

/** The team a rival is made for. Most rivals hold numbers for each agent, so they do not carry to another size. */
export interface RivalShape {
  /** N. */
  readonly agents: number;
  /** T. */
  readonly rounds: number;
}

/** An episode played by a rival's own policy, with what came of it. */
export interface PlayedEpisode {
  readonly decisions: readonly { readonly observation: Observation; readonly action: Action }[];
  readonly record: EpisodeRecord;
  /** A: the episode's reward minus a baseline. */
  readonly advantage: number;
}

/** What a rival has learned so far: named numbers, and the optimiser's state beside them where it has one. */
export interface RivalState {
  readonly weights: Weights;
  readonly optimiser?: Weights;
}

export interface Rival {
  /** What it does and which published system it reconstructs, in one line. */
  readonly summary: string;
  /** The state before the first episode. */
  begin(shape: RivalShape, rng: Rng): RivalState;
  /** Ways in which some weights may be judged: the best in validation is kept. Absent: as they are. */
  candidates?(weights: Weights): readonly Weights[];
  /**
   * The policy under some weights. `sampled` explores, for training; `threshold` draws nothing: a policy judged by graphs
   * sampled again each time is not the one that was trained.
   */
  policy(weights: Weights, shape: RivalShape, participation: "sampled" | "threshold"): Policy;
  /**
   * One update from a batch of episodes that the sampling policy has played. Absent: nothing is learned, and nothing played
   * for training.
   */
  learn?(state: RivalState, batch: readonly PlayedEpisode[], shape: RivalShape): RivalState;
}
