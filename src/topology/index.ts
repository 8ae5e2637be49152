import type { TopologyRule } from "../contracts/topology.ts";
import { buildDag } from "./build-dag.ts";
import { chain, complete, layered, none, random, randomOrder, solo, star, tree } from "./fixed.ts";
import { proposed } from "./proposed.ts";
import { alsoThroughTime } from "./through-time.ts";

/** A way to draw the graph of a round, with the line that lists show. */
export interface Topology {
  readonly draw: TopologyRule;
  readonly summary: string;
}

const rule = (draw: TopologyRule, summary: string): Topology => ({ draw: alsoThroughTime(draw), summary });

/** All topology rules by name. Every one of them keeps to all budgets. */
export const topologies = {
  credit: rule(buildDag, "from higher to lower credit, within the budgets: the rule for learned credits"),
  "random-order": rule(randomOrder, "the credit rule with as many edges, in a random order (ablation)"),
  none: rule(none, "no edges of the same round: everyone works alone"),
  solo: rule(solo, "only the first participant works"),
  chain: rule(chain, "each participant speaks to the next"),
  star: rule(star, "the first participant speaks to all others"),
  tree: rule(tree, "a binary tree from the first participant down"),
  layered: rule(layered, "layers of ⌈√n⌉ participants, each joined to the whole next one"),
  complete: rule(complete, "every participant speaks to every later one (debate)"),
  random: rule(random, "each participant hears random earlier ones, up to its in-degree budget"),
  proposed: { draw: proposed, summary: "the edges a policy asks for itself, within the budgets" },
} as const satisfies Record<string, Topology>;

export type TopologyName = keyof typeof topologies;

export { buildDag } from "./build-dag.ts";
export { type DecisionGraph, drawDecisionGraph } from "./decision-graph.ts";
export { type Captions, drawDot, drawMermaid } from "./draw.ts";
export { type GraphMeasures, measureGraph } from "./measure.ts";
export { type Edges, graphFromEdges, hearing, type Neighbours, neighbours } from "./order.ts";
export { majority, type Vote, vote } from "./vote.ts";
