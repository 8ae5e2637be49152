import { ColloquyError } from "../base/errors.ts";
import type { Environment, Episode, Item, TimeStep } from "../contracts/environment.ts";
import type { EpisodeTrace } from "../contracts/trace.ts";

/**
 * Cuts episodes after `limit` decisions. The cut is a truncation, not an end: the last time step says so, and learners
 * must not read it as "nothing would have followed".
 */
export function withDecisionLimit<Q extends Item, R extends EpisodeTrace>(
  environment: Environment<Q, R>,
  limit: number,
): Environment<Q, R> {
  return {
    spec: { ...environment.spec, maxDecisions: Math.min(limit, environment.spec.maxDecisions) },
    reset: async (start) => limitEpisode(await environment.reset(start), limit),
  };
}

function limitEpisode<R extends EpisodeTrace>(episode: Episode<R>, limit: number): Episode<R> {
  let decisions = 0;
  const cut = (timeStep: TimeStep): TimeStep =>
    decisions >= limit && timeStep.kind !== "last"
      ? { ...timeStep, kind: "last", observation: null, truncated: true }
      : timeStep;
  return {
    ...episode,
    first: cut(episode.first),
    step: async (action) => {
      if (decisions >= limit) {
        throw new ColloquyError("environment/ended", `the episode was cut after ${limit} decisions`, {
          hint: "Reset the environment to begin another episode.",
        });
      }
      const timeStep = await episode.step(action);
      decisions++;
      return cut(timeStep);
    },
  };
}
