import { ColloquyError } from "../base/errors.ts";
import type { Budget, CommunicationGraph, DrawInput, EdgeArrays, Proposal } from "../contracts/topology.ts";
import { readDegrees, readDepth, readMostEdges, readTemporal } from "./budget.ts";
import { createEdgeList } from "./edge-list.ts";
import { createLevels } from "./grow-levels.ts";
import { graphFromEdges } from "./order.ts";
import { withTemporal } from "./through-time.ts";

/**
 * The edges that a policy asks for itself, in the order of its wishes (ours; GPTSwarm, AgentPrune and G-Designer draw
 * theirs so that no cycle arises, too). An edge is taken where both ends take part, B_in, B_out and E allow it, no cycle
 * arises and the graph keeps at most L levels; else it is left out. Nothing that is left out would fit the finished graph
 * either, as every edge taken only makes the bounds tighter. Then the edges through time, in their order, within B_T and
 * what is left of E, but for pairs that hear each other that way in this round already. Without a proposal: no edges.
 *
 * Cost: each proposed edge may search the edges taken before it.
 * @throws ColloquyError `graph/self-edge`, `graph/duplicate-edge`, `graph/absent-agent` (no agent of the team at all),
 * `graph/budget`, `graph/participant`, `graph/lengths`
 */
export function proposed({ participants, budget, proposal = { edges: [] } }: DrawInput): CommunicationGraph {
  const { edges, temporal = [] } = proposal;
  const agents = participants.length;
  checkPairs(edges, agents);
  checkPairs(temporal, agents);
  const takesPart = ([i, j]: Pair): boolean => participants[i] === 1 && participants[j] === 1;
  const graph = graphFromEdges(takeEdges(edges.filter(takesPart), agents, budget), participants);
  return withTemporal(graph, takeTemporal(temporal.filter(takesPart), graph, budget));
}

type Pair = Proposal["edges"][number];

function takeEdges(pairs: readonly Pair[], agents: number, budget: Budget): EdgeArrays {
  const { inLeftN, outLeftN } = readDegrees(budget, agents);
  const most = readMostEdges(budget);
  const levels = createLevels(agents, readDepth(budget));
  const taken = createEdgeList(0);
  for (const [i, j] of pairs) {
    if (taken.count() >= most) break;
    if (outLeftN[i] === 0 || inLeftN[j] === 0 || !levels.add(i, j)) continue;
    outLeftN[i]--;
    inLeftN[j]--;
    taken.add(i, j);
  }
  return taken.arrays();
}

function takeTemporal(pairs: readonly Pair[], graph: CommunicationGraph, budget: Budget): EdgeArrays {
  const { agents, sources, targets } = graph;
  const leftN = readTemporal(budget, agents);
  const heardNow = new Set(Array.from(sources, (source, e) => source * agents + targets[e]));
  const most = readMostEdges(budget) - sources.length;
  const taken = createEdgeList(0);
  for (const [i, j] of pairs) {
    if (taken.count() >= most) break;
    if (leftN[j] === 0 || heardNow.has(i * agents + j)) continue;
    leftN[j]--;
    taken.add(i, j);
  }
  return taken.arrays();
}

/** A proposal comes from a policy, whose mistakes must not pass as choices. */
function checkPairs(pairs: readonly Pair[], agents: number): void {
  const isAgent = (i: number): boolean => Number.isInteger(i) && i >= 0 && i < agents;
  const seen = new Set<number>();
  for (const [i, j] of pairs) {
    const fail = (problem: string, what: string): never => {
      throw new ColloquyError(`graph/${problem}`, `the proposed edge ${i} → ${j} ${what}`, {
        hint: "The policy that proposed it is broken: edges join two different agents of the team, each pair once.",
      });
    };
    if (!isAgent(i) || !isAgent(j)) fail("absent-agent", `names an agent that a team of ${agents} does not have`);
    if (i === j) fail("self-edge", "joins an agent to itself");
    if (seen.has(i * agents + j)) fail("duplicate-edge", "is given twice");
    seen.add(i * agents + j);
  }
}
