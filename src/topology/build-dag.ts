import type { CommunicationGraph, DrawInput } from "../contracts/topology.ts";
import { readDegrees, readDepth, readMostEdges } from "./budget.ts";
import { createEdgeList } from "./edge-list.ts";
import { checkCredits, listParticipants } from "./participants.ts";

/**
 * G_C^t = (V_C^t, E_C^t) from credits c and participation z, under degree budgets B_in, B_out, a depth budget L and a
 * budget E of edges in all.
 *
 * TodyComm asks for a DAG whose nodes run in topological order ("Multi-agent communication"), built from participation
 * decisions and credits by a "deterministic communication graph construction" that "extends to node-wise incoming and
 * outgoing degree budget constraints" (introduction). The text that reached us ends before its algorithm, so the rule
 * and the budgets L and E are ours:
 *
 *   1. V = {i : z_i = 1}, ranked by credit: r(i) < r(j) if c_i > c_j, or c_i = c_j and i < j.
 *   2. Candidates i → j are all pairs with r(i) < r(j), in order of r(i), then of r(j). So the graph is acyclic.
 *   3. Take i → j while outdeg(i) < B_out(i), indeg(j) < B_in(j), level(i) < L and fewer than E are taken, where
 *      level(j) = 1 + max{level(i) : i → j}, and 1 for an agent that hears nobody.
 *
 * Without limits this is the complete DAG. `order` is the ranking, and edges stand in the order they were taken: an
 * agent hears its sources by falling credit. Cost: O(N log N + E α(N)), with limits never O(N²). Edges through time are
 * added by the table of rules (`topologies.credit`).
 *
 * @throws ColloquyError `graph/budget`, `graph/credit`, `graph/participant`, `graph/lengths`, `graph/too-large`
 */
export function buildDag(input: Omit<DrawInput, "rng">): CommunicationGraph {
  checkCredits(input.credits, input.participants.length);
  return connect(rankByCredit(input.credits, listParticipants(input.participants)), input, everyLater);
}

/** `agents` by falling credit, ties by index; −0 and 0 are a tie. */
export function rankByCredit(credits: ArrayLike<number>, agents: Int32Array): Int32Array {
  // One kind of array keeps the comparison fast whatever the caller holds its credits in.
  const c = Float64Array.from(credits);
  // Two equal infinities differ by NaN, which is falsy as well.
  return agents.slice().sort((i, j) => c[j] - c[i] || i - j);
}

/** For each position in an order of `count` agents the range of later positions it may speak to. */
export interface Candidates {
  first(position: number, count: number): number;
  /** One past the last. Both may point beyond `count`. */
  end(position: number, count: number): number;
}

export const everyLater: Candidates = { first: (p) => p + 1, end: (_p, count) => count };

/**
 * Step 3 for any order of agents and any candidates along it: takes edges by source position, then target position,
 * while the budgets allow.
 * @param mostEdges stops after this many, where the budget itself allows as many
 */
export function connect(
  order: Int32Array,
  { participants, budget }: Pick<DrawInput, "participants" | "budget">,
  { first, end }: Candidates,
  mostEdges = Infinity,
): CommunicationGraph {
  const agents = participants.length;
  const count = order.length;
  const { inLeftN, outLeftN } = readDegrees(budget, agents);
  const depth = readDepth(budget);
  const most = Math.min(readMostEdges(budget), mostEdges);
  const edges = createEdgeList(2 * count);
  const level = new Int32Array(agents);
  for (const agent of order) level[agent] = 1;

  // open[p] leads from position p to the next one that may still hear somebody (a union-find forest with path halving).
  const open = new Int32Array(count + 1);
  for (let p = 0; p <= count; p++) open[p] = p < count && inLeftN[order[p]] === 0 ? p + 1 : p;
  const nextOpen = (position: number): number => {
    let p = position;
    while (open[p] !== p) {
      open[p] = open[open[p]];
      p = open[p];
    }
    return p;
  };

  for (let p = 0; p < count && edges.count() < most; p++) {
    const i = order[p];
    // Everyone who speaks to i has had its turn, so this level is final.
    if (level[i] >= depth) continue;
    const stop = Math.min(end(p, count), count);
    let outLeft = Math.min(outLeftN[i], most - edges.count());
    for (let q = nextOpen(Math.min(first(p, count), count)); q < stop && outLeft > 0; q = nextOpen(q + 1)) {
      const j = order[q];
      edges.add(i, j);
      level[j] = Math.max(level[j], level[i] + 1);
      outLeft--;
      if (--inLeftN[j] === 0) open[q] = q + 1;
    }
  }

  let levels = 0;
  for (const agent of order) levels = Math.max(levels, level[agent]);
  return { agents, order, ...edges.arrays(), level, levels };
}
