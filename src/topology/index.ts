import type { TopologyRule } from "../contracts/topology.ts";
import { buildDag } from "./build-dag.ts";
import { chain, complete, layered, none, random, randomOrder, solo, star, tree } from "./fixed.ts";

/** A way to draw the graph of a round, with the line that lists show. */
export interface Topology {
  readonly draw: TopologyRule;
  readonly summary: string;
}

/** All topology rules by name. Every one of them keeps to the degree and depth budgets. */
export const topologies = {
  credit: {
    draw: buildDag,
    summary: "from higher to lower credit, within the budgets: the rule for learned credits",
  },
  "random-order": { draw: randomOrder, summary: "the credit rule with as many edges, in a random order (ablation)" },
  none: { draw: none, summary: "no edges: everyone works alone" },
  solo: { draw: solo, summary: "only the first participant works" },
  chain: { draw: chain, summary: "each participant speaks to the next" },
  star: { draw: star, summary: "the first participant speaks to all others" },
  tree: { draw: tree, summary: "a binary tree from the first participant down" },
  layered: { draw: layered, summary: "layers of ⌈√n⌉ participants, each joined to the whole next one" },
  complete: { draw: complete, summary: "every participant speaks to every later one (debate)" },
  random: { draw: random, summary: "each participant hears random earlier ones, up to its in-degree budget" },
} as const satisfies Record<string, Topology>;

export type TopologyName = keyof typeof topologies;

export { buildDag } from "./build-dag.ts";
export { type DecisionGraph, drawDecisionGraph } from "./decision-graph.ts";
export { type Captions, drawDot, drawMermaid } from "./draw.ts";
export { type GraphMeasures, measureGraph } from "./measure.ts";
export { type Edges, graphFromEdges, type Neighbours, neighbours } from "./order.ts";
export { majority, type Vote, vote } from "./vote.ts";
