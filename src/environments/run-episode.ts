import { createRng } from "../base/rng.ts";
import type { Environment, EpisodeStart, Item } from "../contracts/environment.ts";
import type { Action, Observation, Policy } from "../contracts/policy.ts";
import type { EpisodeTrace } from "../contracts/trace.ts";

/** Told of every decision as it is made: rollouts collect what training needs, live runs print it. */
export type DecisionListener = (observation: Observation, action: Action) => void;

/**
 * Plays one episode of any world to its end. The one loop of the project: training, judging and live runs all come through here.
 */
export async function runEpisode<Q extends Item, R extends EpisodeTrace>(
  environment: Environment<Q, R>,
  policy: Policy,
  start: EpisodeStart<Q>,
  onDecision?: DecisionListener,
): Promise<R> {
  const episode = await environment.reset(start);
  const session = policy.begin({
    agents: episode.first.observation?.agents ?? environment.spec.agents,
    rng: createRng(start.seed).fork(start.question.id, start.sample, "policy", start.branch ?? 0),
    truth: policy.privileged ? episode.truth : undefined,
  });
  let timeStep = episode.first;
  while (timeStep.observation !== null) {
    const action = session.act(timeStep.observation);
    onDecision?.(timeStep.observation, action);
    timeStep = await episode.step(action);
  }
  return episode.record();
}
