import type { WorkplaceResults } from "colloquy";

export type Row = WorkplaceResults["rows"][number];
export type Tier = Row["tier"];

export const tiers = ["simple", "medium", "complex"] as const satisfies readonly Tier[];
/** W; a manager comes to each. */
export const teams = [4, 8, 16] as const;
/** The strategies of C2C's own table. */
export const published = ["c2c", "no-communication", "fixed-steps"] as const;
export const methods = [...published, "unconstrained", "c2c-prompt"] as const;
export const decompositions = ["adaptive", "manual", "naive", "hierarchical"] as const;

/** How much of a team's talk goes through its manager, in the projects of one tier and team. */
export interface Hub {
  readonly tier: Tier;
  readonly workers: number;
  readonly episodes: number;
  /** Share of all messages that go from or to the manager. */
  readonly share: number;
  /** Share of the episodes in which no worker has more of them than the manager. */
  readonly first: number;
}

/** Where claims find what came out. */
export interface Figures {
  /** c2c on one task, cut adaptively, unless said otherwise. @throws Error where that was not played */
  row(tier: Tier, workers: number, other?: Partial<Pick<Row, "method" | "tasks" | "decomposition">>): Row;
  hub(tier: Tier, workers: number): Hub;
}

export function figuresOf(rows: readonly Row[], hubs: readonly Hub[]): Figures {
  return {
    row(tier, workers, other) {
      const wanted = { tier, workers, method: "c2c", tasks: 1, decomposition: "adaptive", ...other };
      const row = rows.find((found) =>
        Object.entries(wanted).every(([key, value]) => found[key as keyof Row] === value),
      );
      if (row === undefined) throw new Error(`nobody has played ${JSON.stringify(wanted)}`);
      return row;
    },
    hub(tier, workers) {
      const hub = hubs.find((found) => found.tier === tier && found.workers === workers);
      if (hub === undefined) throw new Error(`nobody has counted the messages of ${tier}, 1+${workers}`);
      return hub;
    },
  };
}

/** @param episodes who wrote to whom in each, `[from, to, messages]`; agent 0 is the manager */
export function hubOf(
  tier: Tier,
  workers: number,
  episodes: readonly (readonly (readonly [number, number, number])[])[],
): Hub {
  let all = 0;
  let managers = 0;
  let first = 0;
  for (const pairs of episodes) {
    const touching = new Array<number>(workers + 1).fill(0);
    for (const [from, to, count] of pairs) {
      touching[from] += count;
      touching[to] += count;
      all += count;
    }
    managers += touching[0];
    if (touching[0] > 0 && touching[0] === Math.max(...touching)) first++;
  }
  const share = all === 0 ? 0 : managers / all;
  return { tier, workers, episodes: episodes.length, share, first: first / Math.max(1, episodes.length) };
}
