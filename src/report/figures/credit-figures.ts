import { groupBy } from "../../base/group-by.ts";
import { type ChartLine, lineChart } from "../charts/line-chart.ts";
import type { Figure } from "../report-data.ts";

/** What a drawing needs of the credits of one side in one round; a row of the results has it. */
export interface CreditSpread {
  readonly method: string;
  readonly attack: string;
  readonly adversaries: number;
  readonly onset: string;
  /** T+1: the vote. */
  readonly round: number;
  readonly side: "honest" | "adversarial";
  readonly p10: number;
  readonly p25: number;
  readonly p50: number;
  readonly p75: number;
  readonly p90: number;
}

/** σ(c) by round for honest and adversarial agents, one drawing an attacked cell. */
export function creditFigures(rows: readonly CreditSpread[], method: string): Figure[] {
  const own = rows.filter((row) => row.method === method && row.adversaries > 0);
  const last = Math.max(...own.map(({ round }) => round));
  // One axis for all, so that the cells can be compared.
  const highest = Math.min(1, Math.max(0.2, Math.ceil(10 * Math.max(...own.map(({ p90 }) => p90))) / 10));
  const cells = groupBy(
    own,
    ({ adversaries, attack, onset }) => `${adversaries} adversaries, ${attack}, onset ${onset}`,
  );
  return [...cells].map(([name, cell]) => {
    const lines = (["honest", "adversarial"] as const).map((side, colour): ChartLine => {
      const points = cell
        .filter((row) => row.side === side)
        .sort((a, b) => a.round - b.round)
        .map(({ round, p10, p25, p50, p75, p90 }) => {
          const inner: [number, number] = [p25, p75];
          return { x: round, y: p50, low: p10, high: p90, inner };
        });
      return { name: side, points, colour };
    });
    const rounds = [...new Set(cell.map(({ round }) => round))].sort((a, b) => a - b);
    const step = Math.ceil(rounds.length / 8);
    return {
      svg: lineChart({
        title: `${cell[0].adversaries} adversaries, onset ${cell[0].onset}`,
        xLabel: "round the decision is for",
        yLabel: "credit σ(c): weight in the vote, chance to speak",
        lines,
        yRange: [0, highest],
        intervals: "band",
        xTicks: rounds
          .filter((round, k) => round === last || (k % step === 0 && last - round >= step))
          .map((at) => ({ at, name: at === last ? "vote" : String(at) })),
      }),
      caption: `${method}, ${name}. Lines are medians; bands hold the middle half and the middle 80 % of the agents.`,
    };
  });
}
