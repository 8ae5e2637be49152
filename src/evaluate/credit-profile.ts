import { sigmoid } from "../base/sigmoid.ts";
import { attacksIn, type EpisodeRecord } from "../contracts/trace.ts";
import type { CreditRow } from "./schema.ts";
import type { Cell } from "./starts.ts";

/** Takes the records of a sweep as they come and counts their credits. */
export interface CreditProfile {
  add(record: EpisodeRecord, method: string, cell: Cell): void;
  /** In order of appearance; only of methods whose credits vary. */
  rows(): CreditRow[];
  /** Everything counted, as plain JSON: what another profile can begin with. */
  counts(): CreditCounts[];
}

/** Credits of one method in one cell, round and side. */
export interface CreditCounts {
  readonly method: string;
  readonly cell: Cell;
  readonly round: number;
  readonly side: CreditRow["side"];
  readonly n: number;
  /** Sum of σ(c). */
  readonly total: number;
  /** Bin and how many fell into it, for bins that are not empty. */
  readonly counts: readonly (readonly [number, number])[];
  /** Some credits of the method differ within a decision. */
  readonly vary: boolean;
}

/** Of (0, 1), for σ(c). */
const bins = 500;

interface Tally extends Pick<CreditCounts, "method" | "cell" | "round" | "side"> {
  readonly counts: Uint32Array;
  n: number;
  total: number;
}

/**
 * σ(c) by method, cell, decision round and side, whatever the number of episodes: a histogram each, so that quantiles are
 * right to 1/500. Sides as everywhere: an agent is adversarial in the rounds in which it attacks. Failed episodes are left out.
 * @param known counts of other profiles, to go on from or to put together
 */
export function profileCredits(known: readonly CreditCounts[] = []): CreditProfile {
  const tallies = new Map<string, Tally>();
  const varying = new Set<string>();
  const tallyOf = (method: string, cell: Cell, round: number, side: CreditRow["side"]): Tally => {
    const key = JSON.stringify([method, cell.kind, cell.adversaries, cell.rate, cell.onset, round, side]);
    let tally = tallies.get(key);
    if (tally === undefined) {
      tally = { method, cell, round, side, counts: new Uint32Array(bins), n: 0, total: 0 };
      tallies.set(key, tally);
    }
    return tally;
  };
  for (const { method, cell, round, side, n, total, counts, vary } of known) {
    const tally = tallyOf(method, cell, round, side);
    tally.n += n;
    tally.total += total;
    for (const [bin, count] of counts) tally.counts[bin] += count;
    if (vary) varying.add(method);
  }
  return {
    add(record, method, cell) {
      if (record.outcome === "failed") return;
      for (const { round, credits } of record.decisions) {
        const honest = tallyOf(method, cell, round, "honest");
        const attacks = credits.map((_, agent) => attacksIn(record, agent, round));
        const adversarial = attacks.includes(true) ? tallyOf(method, cell, round, "adversarial") : honest;
        credits.forEach((credit, agent) => {
          if (credit !== credits[0]) varying.add(method);
          count(attacks[agent] ? adversarial : honest, sigmoid(credit));
        });
      }
    },
    rows: () => [...tallies.values()].filter(({ method, n }) => n > 0 && varying.has(method)).map(describe),
    counts: () =>
      [...tallies.values()].map(({ counts, ...tally }) => ({
        ...tally,
        counts: Array.from(counts, (count, bin) => [bin, count] as const).filter(([, count]) => count > 0),
        vary: varying.has(tally.method),
      })),
  };
}

function count(tally: Tally, share: number): void {
  tally.n++;
  tally.total += share;
  tally.counts[Math.min(bins - 1, Math.floor(share * bins))]++;
}

function describe(tally: Tally): CreditRow {
  const { method, cell, round, side, n, total } = tally;
  return {
    method,
    attack: cell.kind,
    attackRate: cell.rate,
    adversaries: cell.adversaries,
    onset: cell.onset,
    round,
    side,
    n,
    mean: total / n,
    p10: quantile(tally, 0.1),
    p25: quantile(tally, 0.25),
    p50: quantile(tally, 0.5),
    p75: quantile(tally, 0.75),
    p90: quantile(tally, 0.9),
  };
}

/** Linear within the bin it falls into. */
function quantile({ counts, n }: Tally, p: number): number {
  let left = p * n;
  for (let bin = 0; bin < bins; bin++) {
    if (counts[bin] > 0 && left <= counts[bin]) return (bin + left / counts[bin]) / bins;
    left -= counts[bin];
  }
  return 1;
}
