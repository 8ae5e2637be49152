import { sigmoid } from "../base/sigmoid.ts";
import type { Action, Observation } from "../contracts/policy.ts";
import { type Edge, type EdgeLogits, likelyEdges, listPairs } from "./edge-draws.ts";
import { edgeLearner, withEveryone } from "./edge-learner.ts";
import type { Rival } from "./rival.ts";
import { edgeTables, newTables } from "./static-edges.ts";

/**
 * Learned edges for each round; without chance, each round leaves out its least connected agent, which makes no call and
 * keeps its last output (AgentDropout).
 *
 * As published: edges are learned with all agents present, agents are dropped after that, by their weighted degree within
 * the round. Ours: one agent a round and an end to learning there (the published system learns the edges of the smaller
 * graph once more, and drops edges by their rank); edges with p ≥ ½ in place of sampled ones; whoever was left out still
 * has a voice in the vote.
 */
export const nodeDropout: Rival = edgeLearner({
  name: "node-dropout",
  summary: "learned edges for each round; each round drops its least connected agent (as AgentDropout)",
  learningRate: 0.1,
  begin: ({ agents, rounds }) => newTables([Math.max(0, rounds - 1), agents, agents]),
  ...edgeTables(({ spatial }, { agents, round }) => {
    // Table 0 is for round 2; rounds that were not trained go on as the last one that was.
    const table = Math.min(round - 2, spatial.shape[0] - 1);
    return table * agents * agents;
  }),
  settle: withoutLeastConnected,
});

function withoutLeastConnected({ spatialNN, temporalNN = [] }: EdgeLogits, observation: Observation): Action {
  const { agents, eligibleN } = observation;
  const dropped = findLeastConnected(spatialNN, agents, eligibleN);
  const { creditsN, participantsN } = withEveryone(observation);
  if (dropped >= 0) participantsN[dropped] = 0;
  const amongOthers = ([i, j]: Edge): boolean => i !== dropped && j !== dropped;
  return {
    creditsN,
    participantsN,
    proposal: {
      edges: likelyEdges(spatialNN, agents).filter(amongOthers),
      temporal: likelyEdges(temporalNN, agents).filter(amongOthers),
    },
  };
}

/** By in- and out-degree, each pair weighing σ(θ); ties: the higher index. −1 where one agent is all there is. */
function findLeastConnected(logitsNN: ArrayLike<number>, agents: number, eligibleN: Uint8Array): number {
  const degreeN = new Float64Array(agents);
  for (const [i, j] of listPairs(agents)) {
    const weight = sigmoid(logitsNN[i * agents + j]);
    degreeN[i] += weight;
    degreeN[j] += weight;
  }
  let present = 0;
  let least = -1;
  for (let i = 0; i < agents; i++) {
    if (eligibleN[i] === 0) continue;
    present++;
    if (least < 0 || degreeN[i] <= degreeN[least]) least = i;
  }
  return present > 1 ? least : -1;
}
