import type { Budget, CommunicationGraph, EdgeArrays, TopologyRule } from "../contracts/topology.ts";
import { readMostEdges, readTemporal } from "./budget.ts";
import { createEdgeList } from "./edge-list.ts";
import { neighbours } from "./order.ts";

/**
 * The rule with edges through time (ours) behind those of the same round: participants in the order of the graph hear, in
 * that order again, the others they do not hear in this round, until each has B_T of them or the round has E edges of both
 * kinds. So under the credit rule they hear by falling credit. These edges need no order and cost no level, and B_in and
 * B_out do not count them. With B_T = Infinity, `none` is the simultaneous debate: everyone hears what all others said a
 * round before, in one level. Cost: O(N + E) beside the rule's own.
 */
export const alsoThroughTime =
  (draw: TopologyRule): TopologyRule =>
  (input) => {
    const graph = draw(input);
    // Most budgets have none.
    if ((input.budget.temporal ?? 0) === 0) return graph;
    return withTemporal(graph, pickSources(graph, input.budget));
  };

/** The graph with edges through time; as it was where there are none. */
export const withTemporal = (graph: CommunicationGraph, temporal: EdgeArrays): CommunicationGraph =>
  temporal.sources.length === 0 ? graph : { ...graph, temporal };

function pickSources(graph: CommunicationGraph, budget: Budget): EdgeArrays {
  const { agents, order } = graph;
  const mostN = readTemporal(budget, agents);
  const { offsets, ids } = neighbours(graph);
  const edges = createEdgeList(0);
  let left = readMostEdges(budget) - graph.sources.length;
  // The last agent that heard agent i in this round.
  const heardByN = new Int32Array(agents).fill(-1);
  for (const j of order) {
    for (let e = offsets[j]; e < offsets[j + 1]; e++) heardByN[ids[e]] = j;
    heardByN[j] = j;
    let wanted = Math.min(mostN[j], left);
    for (let p = 0; p < order.length && wanted > 0; p++) {
      if (heardByN[order[p]] === j) continue;
      edges.add(order[p], j);
      wanted--;
      left--;
    }
  }
  return edges.arrays();
}
