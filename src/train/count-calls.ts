import { groupBy } from "../base/group-by.ts";
import { sum } from "../base/stats.ts";
import type { EpisodeTrace } from "../contracts/trace.ts";
import type { Rollout } from "./batch.ts";
import type { WorldReading } from "./world-reading.ts";

/** The calls that an update really needs: runs share them with those of their own start alone, and in some worlds not at all. */
export function countCalls<R extends EpisodeTrace>(
  rollouts: readonly Pick<Rollout<R>, "group" | "record">[],
  { countSharedCalls }: WorldReading<R>,
): number {
  if (countSharedCalls === undefined) return sum(rollouts.map(({ record }) => record.calls));
  const starts = groupBy(rollouts, ({ group }) => group).values();
  return sum(Array.from(starts, (runs) => countSharedCalls(runs.map(({ record }) => record))));
}
