import type { Rng } from "../base/rng.ts";
import type { Action, Observation, Policy } from "../contracts/policy.ts";
import { sampled, threshold } from "./decide.ts";
import { drawOrder } from "./draw-order.ts";
import type { ForwardPass } from "./forward.ts";

/** How participation follows from credits. */
export type Participation =
  /** z_i = 1 where p_i ≥ ½: judging and production. */
  | "threshold"
  /** z_i ~ Bernoulli(p_i): training, and evaluation where asked for. */
  | "sampled";

/**
 * A credit network as a policy. Sessions keep their own hidden state; the forward pass is shared.
 * @param drawsOrder whether the order of trust is drawn as well, which training explores by; of networks that rank by trust
 */
export function networkPolicy(
  name: string,
  forward: ForwardPass,
  participation: Participation,
  minimum = 1,
  drawsOrder = false,
): Policy {
  const ranksByTrust = forward.config.rank === "decide";
  return {
    name,
    begin: ({ agents, rng }) => {
      const hiddenNH = new Float32Array(agents * forward.config.hidden);
      return {
        act(observation) {
          if (!ranksByTrust || observation.head === "decide")
            return decide(forward.step(observation, hiddenNH), observation, participation, minimum, rng);
          const { communicateN, decideN } = forward.bothHeads(observation, hiddenNH);
          const action = decide(communicateN, observation, participation, minimum, rng);
          if (!drawsOrder) return { ...action, trustN: decideN };
          const { scoresN, logProbability } = drawOrder(decideN, action.participantsN, rng);
          const total = (action.logProbability ?? 0) + logProbability;
          return { ...action, trustN: scoresN, drawnOrder: true, logProbability: total };
        },
      };
    },
  };
}

function decide(
  creditsN: Float32Array,
  observation: Observation,
  participation: Participation,
  minimum: number,
  rng: Rng,
): Action {
  const { eligibleN, forcedN } = observation;
  return participation === "threshold"
    ? { creditsN, participantsN: threshold(creditsN, eligibleN, forcedN, { minimum, cut: 0.5 }) }
    : { creditsN, ...sampled(creditsN, eligibleN, forcedN, { minimum }, rng) };
}
