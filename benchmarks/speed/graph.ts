import { createRng } from "../../src/base/rng.ts";
import type { Budget } from "../../src/contracts/topology.ts";
import { buildDag } from "../../src/topology/build-dag.ts";
import { type Benchmark, growth, interleave, type Row } from "./measure.ts";

const sizes = [10, 100, 1_000, 10_000, 100_000];
/** Where growth is read off: below, fixed costs hide it. */
const large = sizes.slice(2);
const budgets: Record<string, Budget> = {
  "in 3, out 3": { in: 3, out: 3, depth: Infinity },
  "in 3, out 3, depth 3": { in: 3, out: 3, depth: 3 },
};
const unlimited: Budget = { in: Infinity, out: Infinity, depth: Infinity };

/** How long the credit rule takes to draw a graph, and how that grows with the number of agents. */
export const graph: Benchmark = {
  summary: "Drawing a round's graph from credits under budgets; all agents take part.",
  async run() {
    const drawings = Object.entries(budgets).flatMap(([name, budget]) =>
      sizes.map((agents): [string, () => number] => [`${name}, N = ${agents}`, drawing(agents, budget)]),
    );
    const works = Object.fromEntries([...drawings, ["complete", drawing(1_000, unlimited)]]);
    const timesMs = await interleave(works);
    const rows: Row[] = [];
    for (const name of Object.keys(budgets)) {
      const timeMs = (agents: number): number => timesMs[`${name}, N = ${agents}`];
      const note = "slope of log time over log N, from 1,000 agents up";
      rows.push({ name: `growth with N, ${name}`, value: growth(large, large.map(timeMs)), unit: "exponent", note });
      rows.push({ name: `N = 100000 over N = 1000, ${name}`, value: timeMs(100_000) / timeMs(1_000), unit: "×" });
      for (const agents of sizes) {
        const edges = `${works[`${name}, N = ${agents}`]()} edges`;
        rows.push({ name: `N = ${agents}, ${name}`, value: timeMs(agents), unit: "ms", note: edges });
      }
    }
    const perEdge = (name: string): number => timesMs[name] / works[name]();
    rows.push({
      name: "time an edge, N = 1000: complete over in 3, out 3",
      value: perEdge("complete") / perEdge("in 3, out 3, N = 1000"),
      unit: "×",
    });
    rows.push({
      name: "N = 1000, complete",
      value: timesMs["complete"],
      unit: "ms",
      note: `${works["complete"]()} edges`,
    });
    return rows;
  },
};

/** Draws the same graph each time and says how many edges it has. */
function drawing(agents: number, budget: Budget): () => number {
  const rng = createRng("graph speed");
  const credits = Float32Array.from({ length: agents }, () => rng.normal());
  const participants = new Uint8Array(agents).fill(1);
  return () => buildDag({ credits, participants, budget, round: 2 }).sources.length;
}
