import type { Observation, Weights } from "../contracts/policy.ts";
import { type Edge, likelyEdges, rankPairs, startLogit } from "./edge-draws.ts";
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

/** Both tables before training. @param shape ends in N, N */
export function newTables(shape: readonly number[]): Weights {
  const size = shape.reduce((product, length) => product * length, 1);
  const table = () => ({ shape, data: new Float32Array(size).fill(startLogit(shape[shape.length - 1])) });
  return { spatial: table(), temporal: table() };
}

const learner = {
  // AgentPrune's.
  learningRate: 0.1,
  ...edgeTables(() => 0),
};

/**
 * One learned logit for every ordered pair of agents and one more for its edge through time, the same in all rounds;
 * everyone takes part (GPTSwarm's edge optimisation; AgentPrune's spatial and temporal masks).
 */
export const staticEdges: Rival = edgeLearner({
  ...learner,
  name: "static-edges",
  summary: "one learned logit an ordered pair of agents, by REINFORCE (as GPTSwarm and AgentPrune)",
  begin: ({ agents }) => newTables([agents, agents]),
  settle: ({ spatialNN, temporalNN = [] }, observation) => ({
    ...withEveryone(observation),
    proposal: {
      edges: likelyEdges(spatialNN, observation.agents),
      temporal: likelyEdges(temporalNN, observation.agents),
    },
  }),
});

/** Shares of all pairs that may be kept. AgentPrune leaves the share to its user. */
const shares = [0.5, 0.3, 0.2, 0.1, 0];

/**
 * The same training; after it a share of all pairs, the strongest by logit, is proposed, whatever their probability, and the
 * others never are (AgentPrune's one-shot pruning). Which share is chosen by validation [ours].
 */
export const prunedStaticEdges: Rival = edgeLearner({
  ...learner,
  name: "static-edges/pruned",
  summary: "static-edges, of which the strongest pairs are kept after training (as AgentPrune's one-shot pruning)",
  begin: ({ agents }) => ({ ...newTables([agents, agents]), keep: shareOf(shares[0]) }),
  candidates: (weights) => shares.map((share) => ({ ...weights, keep: shareOf(share) })),
  settle: ({ spatialNN, temporalNN = [] }, observation, { keep }) => {
    const { agents } = observation;
    const kept = Math.round(keep.data[0] * agents * (agents - 1));
    const strongest = (logitsNN: ArrayLike<number>): Edge[] =>
      logitsNN.length === 0 ? [] : rankPairs(logitsNN, agents).slice(0, kept);
    return { ...withEveryone(observation), proposal: { edges: strongest(spatialNN), temporal: strongest(temporalNN) } };
  },
});

const shareOf = (share: number) => ({ shape: [1], data: Float32Array.of(share) });
