import { ColloquyError } from "../base/errors.ts";
import type { Rng } from "../base/rng.ts";
import type { Action, Observation, Policy, Weights } from "../contracts/policy.ts";
import { adamStep, startAdam } from "../nets/adam.ts";
import { drawEdges, type EdgeLogits, logProbabilityOf, scoreOf } from "./edge-draws.ts";
import type { PlayedEpisode, Rival, RivalShape, RivalState } from "./rival.ts";

/** Sums of gradients by the name of the weights, in 64 bits. */
export type Gradients = Readonly<Record<string, Float64Array>>;

/** How the logits of a decision follow from weights, and what a gradient on them means for the weights. */
export interface EdgeModel {
  readonly name: string;
  readonly summary: string;
  /** Of Adam. */
  readonly learningRate: number;
  begin(shape: RivalShape, rng: Rng): Weights;
  logits(weights: Weights, observation: Observation): EdgeLogits;
  /** Adds to `gradients` what `onLogits` means for the weights. */
  backpropagate(
    weights: Weights,
    observation: Observation,
    onLogits: EdgeLogits<Float64Array>,
    gradients: Gradients,
  ): void;
  /** What is decided without chance. */
  settle(logits: EdgeLogits, observation: Observation, weights: Weights): Action;
  /** See `Rival`. */
  candidates?(weights: Weights): readonly Weights[];
}

/**
 * A rival that learns edges by REINFORCE: one step of Adam a batch on −mean_b A_b Σ_t log π(bits of round t). All weights of
 * the model are learned. A batch without any advantage moves nothing.
 */
export function edgeLearner(model: EdgeModel): Rival {
  return {
    summary: model.summary,
    ...(model.candidates === undefined ? {} : { candidates: model.candidates }),
    begin(shape, rng) {
      const weights = model.begin(shape, rng);
      return { weights, optimiser: startAdam(weights) };
    },
    policy: (weights, shape, participation) => edgePolicy(model, weights, shape, participation),
    learn: (state, batch) => learn(model, state, batch),
  };
}

function edgePolicy(
  model: EdgeModel,
  weights: Weights,
  shape: RivalShape,
  participation: "sampled" | "threshold",
): Policy {
  return {
    name: model.name,
    begin: ({ rng }) => ({
      act(observation) {
        if (observation.agents !== shape.agents) {
          throw new ColloquyError(
            "rival/agents",
            `${model.name} was made for ${shape.agents} agents and meets ${observation.agents}`,
            { hint: "Its weights belong to single agents: train it anew for a team of this size." },
          );
        }
        if (observation.head === "decide") return withEveryone(observation);
        const logits = model.logits(weights, observation);
        return participation === "threshold"
          ? model.settle(logits, observation, weights)
          : draw(logits, observation, rng.fork("edges", observation.round));
      },
    }),
  };
}

/** Everyone takes part and no edge is asked for. */
export const withEveryone = ({ agents, eligibleN }: Observation): Action => ({
  creditsN: new Float32Array(agents),
  participantsN: eligibleN.slice(),
});

function draw({ spatialNN, temporalNN }: EdgeLogits, observation: Observation, rng: Rng): Action {
  const { agents } = observation;
  const edges = drawEdges(spatialNN, agents, rng.fork("spatial"));
  const spatial = logProbabilityOf(spatialNN, agents, edges);
  if (temporalNN === undefined) {
    return { ...withEveryone(observation), proposal: { edges }, logProbability: spatial };
  }
  const temporal = drawEdges(temporalNN, agents, rng.fork("temporal"));
  return {
    ...withEveryone(observation),
    proposal: { edges, temporal },
    logProbability: spatial + logProbabilityOf(temporalNN, agents, temporal),
  };
}

function learn(model: EdgeModel, state: RivalState, batch: readonly PlayedEpisode[]): RivalState {
  if (batch.every(({ advantage }) => advantage === 0)) return state;
  const { weights, optimiser = startAdam(weights) } = state;
  const gradients = lossGradients(model, weights, batch);
  const step = adamStep(weights, gradients, optimiser, { learningRate: model.learningRate });
  return { weights: step.weights, optimiser: step.state };
}

/** Gradients of −mean_b A_b Σ_t log π(bits). All drawn pairs stand in an action's proposal. */
export function lossGradients(model: EdgeModel, weights: Weights, batch: readonly PlayedEpisode[]): Weights {
  const sums: Gradients = Object.fromEntries(
    Object.entries(weights).map(([name, { data }]) => [name, new Float64Array(data.length)]),
  );
  for (const { decisions, advantage } of batch) {
    const weight = -advantage / batch.length;
    if (advantage === 0) continue;
    for (const { observation, action } of decisions) {
      if (action.proposal === undefined) continue;
      const { agents } = observation;
      const { spatialNN, temporalNN } = model.logits(weights, observation);
      const onLogits = {
        spatialNN: scoreOf(spatialNN, agents, action.proposal.edges, weight),
        ...(temporalNN !== undefined && {
          temporalNN: scoreOf(temporalNN, agents, action.proposal.temporal ?? [], weight),
        }),
      };
      model.backpropagate(weights, observation, onLogits, sums);
    }
  }
  return Object.fromEntries(
    Object.entries(weights).map(([name, { shape }]) => [name, { shape, data: Float32Array.from(sums[name]) }]),
  );
}
