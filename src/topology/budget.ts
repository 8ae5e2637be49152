import { ColloquyError } from "../base/errors.ts";
import type { Budget, Limit, PlainBudget, PlainLimit } from "../contracts/topology.ts";

/** The budget of a round t ≥ 2, as topology rules want it; the last entry of a list stands for all rounds after it. */
export function budgetOfRound(plain: PlainBudget, round: number): Budget {
  const at = (limit: PlainLimit | undefined, missing: number): number => {
    if (limit === undefined) return missing;
    const own = typeof limit === "number" || limit === null ? limit : limit[Math.min(round - 2, limit.length - 1)];
    return own ?? Infinity;
  };
  return {
    in: at(plain.in, Infinity),
    out: at(plain.out, Infinity),
    depth: at(plain.depth, Infinity),
    edges: at(plain.edges, Infinity),
    temporal: at(plain.temporal, 0),
  };
}

/**
 * A budget of each agent as one number an agent: a fresh array, to be counted down while edges are taken.
 * @param name of the budget, for errors
 * @throws ColloquyError `graph/budget` unless every limit is 0, a positive whole number or Infinity; `graph/lengths`
 */
export function readLimit(limit: Limit, agents: number, name: string): Float64Array {
  const limitsN = new Float64Array(agents);
  if (typeof limit === "number") {
    checkLimit(limit, name, 0);
    return limitsN.fill(limit);
  }
  if (limit.length !== agents) {
    throw new ColloquyError("graph/lengths", `the ${name} has ${limit.length} entries for ${agents} agents`, {
      hint: "Give one number for all agents, or one for each.",
    });
  }
  for (let i = 0; i < agents; i++) {
    checkLimit(limit[i], `${name} of agent ${i}`, 0);
    limitsN[i] = limit[i];
  }
  return limitsN;
}

/** B_in and B_out of each agent. @throws ColloquyError as `readLimit` */
export const readDegrees = (budget: Budget, agents: number): { inLeftN: Float64Array; outLeftN: Float64Array } => ({
  inLeftN: readLimit(budget.in, agents, "in-degree budget"),
  outLeftN: readLimit(budget.out, agents, "out-degree budget"),
});

/** B_T of each agent. @throws ColloquyError as `readLimit` */
export const readTemporal = ({ temporal = 0 }: Budget, agents: number): Float64Array =>
  readLimit(temporal, agents, "budget through time");

/** E. @throws ColloquyError `graph/budget` */
export function readMostEdges({ edges = Infinity }: Budget): number {
  checkLimit(edges, "edge budget", 0);
  return edges;
}

/** L: at least 1, because whoever takes part needs a level. @throws ColloquyError `graph/budget` */
export function readDepth({ depth }: Budget): number {
  checkLimit(depth, "depth budget", 1);
  return depth;
}

function checkLimit(limit: number, name: string, least: number): void {
  if (limit === Infinity || (Number.isInteger(limit) && limit >= least)) return;
  throw new ColloquyError("graph/budget", `the ${name} is ${limit}`, {
    hint: `Give a whole number from ${least} up, or Infinity for no limit.`,
  });
}
