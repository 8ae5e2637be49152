import { systemClock } from "../../src/base/clock.ts";
import { createRng } from "../../src/base/rng.ts";
import type { Budget } from "../../src/contracts/topology.ts";
import { buildDag } from "../../src/topology/build-dag.ts";

/** One measured number. */
export interface Row {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly note?: string;
}

const SIZES = [10, 100, 1_000, 10_000, 100_000];
const RUNS = 11;
/** One run repeats the draw for at least this long, so that small teams are not below the clock's resolution. */
const RUN_MS = 2;

const limited: Budget = { in: 3, out: 3, depth: Infinity };
const shallow: Budget = { in: 3, out: 3, depth: 3 };
const unlimited: Budget = { in: Infinity, out: Infinity, depth: Infinity };

/** How long the credit rule takes to draw a graph, and how that grows with the number of agents. */
export async function run(): Promise<Row[]> {
  // The first draws of a process also pay for its compilation.
  for (const budget of [limited, shallow, unlimited]) measure(1_000, budget);
  const rows: Row[] = [];
  for (const [budget, words] of [
    [limited, "in 3, out 3"],
    [shallow, "in 3, out 3, depth 3"],
  ] as const) {
    const timesMs = SIZES.map((agents) => {
      const { medianMs, edges } = measure(agents, budget);
      rows.push({ name: `graph, N = ${agents}, ${words}`, value: medianMs, unit: "ms", note: `${edges} edges` });
      return medianMs;
    });
    rows.push({
      name: `graph, growth with N, ${words}`,
      value: growth(SIZES.slice(2), timesMs.slice(2)),
      unit: "exponent",
      note: "slope of log time over log N, from 1,000 agents up",
    });
  }
  const { medianMs, edges } = measure(1_000, unlimited);
  rows.push({ name: "graph, N = 1000, complete", value: medianMs, unit: "ms", note: `${edges} edges` });
  return rows;
}

/** The median of 11 runs, after one that is thrown away. */
function measure(agents: number, budget: Budget): { medianMs: number; edges: number } {
  const rng = createRng("graph speed");
  const credits = Float32Array.from({ length: agents }, () => rng.normal());
  const participants = new Uint8Array(agents).fill(1);
  let edges = 0;
  const timesMs: number[] = [];
  for (let k = 0; k <= RUNS; k++) {
    const startedMs = systemClock.elapsedMs();
    let draws = 0;
    do {
      edges = buildDag({ credits, participants, budget, round: 2 }).sources.length;
      draws++;
    } while (systemClock.elapsedMs() - startedMs < RUN_MS);
    if (k > 0) timesMs.push((systemClock.elapsedMs() - startedMs) / draws);
  }
  return { medianMs: timesMs.sort((a, b) => a - b)[Math.floor(RUNS / 2)], edges };
}

/** Least-squares slope of log y over log x. */
function growth(x: readonly number[], y: readonly number[]): number {
  const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;
  const logX = x.map(Math.log);
  const logY = y.map(Math.log);
  const [meanX, meanY] = [mean(logX), mean(logY)];
  const covariance = mean(logX.map((value, k) => (value - meanX) * (logY[k] - meanY)));
  return covariance / mean(logX.map((value) => (value - meanX) ** 2));
}
