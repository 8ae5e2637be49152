import type { WorkplaceRecord } from "../../contracts/workplace/record.ts";

/** What is kept of an episode for measuring: everything but its decisions, its events and the matrix of who wrote to whom. */
export type WorkplaceNumbers = Omit<WorkplaceRecord, "decisions" | "events" | "pairs"> & {
  /** See `hubIndex`. `null` where nobody wrote. */
  readonly hub: number | null;
};

export function reduceRecord({ decisions: _d, events: _e, pairs, ...rest }: WorkplaceRecord): WorkplaceNumbers {
  return { ...rest, hub: hubIndex(pairs, rest.workers + 1) };
}

/**
 * How hub-and-spoke a who-to-whom matrix is [ours]: (s − s₀) / (1 − s₀), where s is the share of all messages that go from
 * or to the most connected agent, and s₀ = 2/N that share where all N agents are connected equally. 0 where they are, 1 for
 * a star.
 * @returns `null` without messages, and for two agents, who are always a star
 */
export function hubIndex(pairs: WorkplaceRecord["pairs"], agents: number): number | null {
  const touchingN = new Array<number>(agents).fill(0);
  let all = 0;
  for (const [from, to, count] of pairs) {
    touchingN[from] += count;
    touchingN[to] += count;
    all += count;
  }
  if (all === 0 || agents < 3) return null;
  const equal = 2 / agents;
  return Math.max(0, (Math.max(...touchingN) / all - equal) / (1 - equal));
}
