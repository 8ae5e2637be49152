import { sigmoid } from "../base/sigmoid.ts";
import { checkCredits, listParticipants } from "./participants.ts";

/** G_D = (V_D, E_D): one edge from every voter to the decision node. */
export interface DecisionGraph {
  /** V_D in index order. */
  readonly voters: Int32Array;
  /** N entries: σ(c_i), above 0, for voters; 0 for the others. */
  readonly weightsN: Float64Array;
}

/**
 * Who takes part in the vote, and with what weight. With nobody taking part there are no voters: keeping at least one
 * is up to the policy.
 * @param credits c^{T+1}: one an agent
 * @param participants z^{T+1}: N entries of 0 or 1
 * @throws ColloquyError `graph/lengths`, `graph/credit`, `graph/participant`
 */
export function drawDecisionGraph(input: {
  readonly credits: ArrayLike<number>;
  readonly participants: ArrayLike<number>;
}): DecisionGraph {
  checkCredits(input.credits, input.participants.length);
  const voters = listParticipants(input.participants);
  const weightsN = new Float64Array(input.participants.length);
  // A credit far below zero must not silence an agent that was chosen, so its weight never falls to 0.
  for (const i of voters) weightsN[i] = Math.max(sigmoid(input.credits[i]), Number.MIN_VALUE);
  return { voters, weightsN };
}
