import type { Action } from "../../contracts/policy.ts";
import type { CommunicationGraph } from "../../contracts/topology.ts";
import type { DecisionRecord } from "../../contracts/trace.ts";
import { listEdges } from "../../topology/edge-list.ts";

/** A decision as records keep it. @param graph what was drawn from it; `null` where nothing is drawn */
export const recordDecision = (round: number, action: Action, graph: CommunicationGraph | null): DecisionRecord => ({
  round,
  credits: Array.from(action.creditsN, exactly),
  participants: Array.from(action.participantsN),
  ...(action.trustN === undefined || graph === null ? {} : { trust: Array.from(action.trustN, exactly) }),
  edges: graph === null ? [] : listEdges(graph),
  ...(graph?.temporal === undefined ? {} : { temporal: listEdges(graph.temporal) }),
  levels: graph?.levels ?? 0,
  ...(action.logProbability === undefined ? {} : { logProbability: exactly(action.logProbability) }),
});

/** Nine digits give back a 32-bit number exactly, so the graph and the vote can be recounted from the record. */
const exactly = (value: number): number => Number(value.toPrecision(9));
