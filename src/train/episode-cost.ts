import { ColloquyError } from "../base/errors.ts";
import { mean } from "../base/stats.ts";
import type { EpisodeRecord } from "../contracts/trace.ts";
import type { TrainSettings } from "./settings.ts";

/** What an episode costs, in the unit that is charged. */
const costs = {
  /** Calls of agents, as if each run of a start made its own. */
  calls: ({ calls }: EpisodeRecord): number => calls,
  /** Edges of all rounds, those through time included. */
  edges: ({ decisions }: EpisodeRecord): number =>
    decisions.reduce((total, { edges, temporal = [] }) => total + edges.length + temporal.length, 0),
  /** Wall-clock time in calls that follow each other: levels of all rounds; the first has one. */
  levels: ({ decisions, rounds }: EpisodeRecord): number =>
    decisions.reduce((total, { levels }) => total + levels, rounds[0]?.some((said) => said !== null) ? 1 : 0),
  /** Thousands of tokens, of prompts and replies. */
  tokens: ({ tokens, question }: EpisodeRecord): number => {
    if (tokens !== null) return tokens / 1000;
    throw new ColloquyError(
      "train/cost",
      `an episode on question ${question} counts no tokens, so none can be charged`,
      {
        hint: "Agents of this population count none, or their server did not say. Set train.cost.per to calls, edges or levels.",
      },
    );
  },
};

/** What an episode can be charged for. */
export type CostUnit = keyof typeof costs;

/**
 * The cost of an episode: calls, edges, levels, or thousands of tokens.
 * @throws ColloquyError `train/cost` for tokens that nobody counted
 */
export const episodeCost = (record: EpisodeRecord, per: CostUnit): number => costs[per](record);

/** The mean over those that have not failed: what a failed episode spoke, or whether anybody counted, says nothing. 0 of none. */
export function meanCost(records: readonly EpisodeRecord[], per: CostUnit): number {
  const played = records.filter(({ outcome }) => outcome !== "failed");
  return played.length === 0 ? 0 : mean(played.map((record) => episodeCost(record, per)));
}

/**
 * The cost-aware reward r = u − λ · cost of each episode [ours; as the peers weigh sparsity or tokens against utility]. With
 * λ = 0 the rewards come back as they are, and nothing needs to be countable.
 * @param rewards u, one an episode
 */
export function chargeCost(
  rewards: readonly number[],
  records: readonly EpisodeRecord[],
  { weight, per }: TrainSettings["cost"],
): readonly number[] {
  return weight === 0 ? rewards : rewards.map((reward, e) => reward - weight * episodeCost(records[e], per));
}
