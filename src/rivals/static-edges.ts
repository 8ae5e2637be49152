import type { Action, Observation, Weights } from "../contracts/policy.ts";
import { type EdgeLogits, likelyEdges, rankPairs } from "./edge-draws.ts";
import { type EdgeModel, edgeLearner, withEveryone } from "./edge-learner.ts";
import type { Rival } from "./rival.ts";

/**
 * Logits kept in the tables `spatial` and `temporal`, read where a decision's own N×N table begins.
 */
export const edgeTables = (
  beginOf: (weights: Weights, observation: Observation) => number,
): Pick<EdgeModel, "logits" | "backpropagate"> => ({
  logits(weights, observation) {
    const begin = beginOf(weights, observation);
    const end = begin + observation.agents * observation.agents;
    return {
      spatialNN: weights.spatial.data.subarray(begin, end),
      temporalNN: weights.temporal.data.subarray(begin, end),
    };
  },
  backpropagate(weights, observation, { spatialNN, temporalNN }, gradients) {
    const begin = beginOf(weights, observation);
    spatialNN.forEach((slope, place) => {
      gradients.spatial[begin + place] += slope;
    });
    temporalNN?.forEach((slope, place) => {
      gradients.temporal[begin + place] += slope;
    });
  },
});

/** Both tables with all logits 0: every edge is as likely as not. */
export function emptyTables(shape: readonly number[]): Weights {
  const zeros = () => ({ shape, data: new Float32Array(shape.reduce((product, size) => product * size, 1)) });
  return { spatial: zeros(), temporal: zeros() };
}

/**
 * One learned logit for every ordered pair of agents and one more for its edge through time, the same in all rounds;
 * everyone takes part (GPTSwarm's edge optimisation; AgentPrune's spatial and temporal masks).
 */
export const staticEdges: Rival = createStaticEdges({
  name: "static-edges",
  summary: "one learned logit an ordered pair of agents, by REINFORCE (as GPTSwarm and AgentPrune)",
});

/** The same training; after it the weaker half of all pairs is never proposed (AgentPrune, which leaves the share open). */
export const prunedStaticEdges: Rival = createStaticEdges({
  name: "static-edges/pruned",
  summary: "static-edges, the weaker half of all pairs cut after training (as AgentPrune's one-shot pruning)",
  trainedAs: "static-edges",
  keep: 0.5,
});

/**
 * @param keep share of all pairs within a round, the strongest by logit, that may be proposed without chance; of these, as
 * without pruning, those with p ≥ ½ are. Default 1: no pruning
 */
export function createStaticEdges({
  keep = 1,
  ...names
}: Pick<EdgeModel, "name" | "summary" | "trainedAs"> & { readonly keep?: number }): Rival {
  const settle = ({ spatialNN, temporalNN = [] }: EdgeLogits, observation: Observation): Action => {
    const { agents } = observation;
    const kept = rankPairs(spatialNN, agents).slice(0, Math.ceil(keep * agents * (agents - 1)));
    return {
      ...withEveryone(observation),
      proposal: {
        edges: kept.filter(([i, j]) => spatialNN[i * agents + j] >= 0),
        temporal: likelyEdges(temporalNN, agents),
      },
    };
  };
  return edgeLearner({
    ...names,
    // AgentPrune's.
    learningRate: 0.1,
    begin: ({ agents }) => emptyTables([agents, agents]),
    ...edgeTables(() => 0),
    settle,
  });
}
