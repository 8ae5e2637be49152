import { ColloquyError, suggest } from "../base/errors.ts";
import { mean } from "../base/stats.ts";
import type { EpisodeTrace } from "../contracts/trace.ts";
import type { TrainSettings } from "./settings.ts";
import type { CostUnits } from "./world-reading.ts";

/**
 * What an episode costs in one of its world's units.
 * @throws ColloquyError `train/cost` for a unit that the world does not know; what it gives throws the same where an episode
 * does not say (tokens that nobody counted)
 */
export function costIn<R extends EpisodeTrace>(units: CostUnits<R>, per: string): (record: R) => number {
  if (Object.hasOwn(units, per)) return units[per];
  throw new ColloquyError("train/cost", `episodes of this world cannot be charged in "${per}"`, {
    hint: `Change train.cost.per. ${suggest(per, Object.keys(units))}`,
  });
}

/** The mean over those that have not failed: what a failed episode spoke, or whether anybody counted, says nothing. 0 of none. */
export function meanCost<R extends EpisodeTrace>(records: readonly R[], per: string, units: CostUnits<R>): number {
  const played = records.filter(({ outcome }) => outcome !== "failed");
  return played.length === 0 ? 0 : mean(played.map(costIn(units, per)));
}

/**
 * The cost-aware reward r = u − λ · cost of each episode [ours; as the peers weigh sparsity or tokens against utility]. With
 * λ = 0 the rewards come back as they are, and nothing needs to be countable.
 * @param rewards u, one an episode
 */
export function chargeCost<R extends EpisodeTrace>(
  rewards: readonly number[],
  records: readonly R[],
  { weight, per }: TrainSettings["cost"],
  units: CostUnits<R>,
): readonly number[] {
  if (weight === 0) return rewards;
  const costOf = costIn(units, per);
  return rewards.map((reward, e) => reward - weight * costOf(records[e]));
}
