import { runInLanes } from "../base/lanes.ts";
import type { Environment, EpisodeStart, Item } from "../contracts/environment.ts";
import type { Policy } from "../contracts/policy.ts";
import type { EpisodeTrace } from "../contracts/trace.ts";
import { runEpisode } from "../environments/run-episode.ts";
import type { Decision, Rollout } from "./batch.ts";
import type { TrainSettings } from "./settings.ts";
import { validationStarts } from "./starts.ts";

/**
 * Plays every start `samples` times under a sampling policy. The decisions are made by plain arithmetic on a snapshot of
 * the weights, so nothing of TensorFlow stands in the episode loop. Results come in the order of the starts, whatever the
 * concurrency.
 */
export function playRollouts<Q extends Item, R extends EpisodeTrace>(
  environment: Environment<Q, R>,
  policy: Policy,
  starts: readonly EpisodeStart<Q>[],
  samples: number,
  concurrency: number,
): Promise<Rollout<R>[]> {
  return runInLanes(starts.length * samples, concurrency, async (k) => {
    const group = Math.floor(k / samples);
    const decisions: Decision[] = [];
    const start = { ...starts[group], branch: k % samples };
    const record = await runEpisode(environment, policy, start, (observation, action) => {
      decisions.push({ observation, action });
    });
    return { record, decisions, group };
  });
}

/** The validation episodes of a run, in order. */
export function playValidation<Q extends Item, R extends EpisodeTrace>(
  environment: Environment<Q, R>,
  policy: Policy,
  questions: readonly Q[],
  {
    settings,
    seed,
    concurrency,
  }: { readonly settings: TrainSettings; readonly seed: number; readonly concurrency: number },
): Promise<R[]> {
  const starts = validationStarts(questions, settings, seed);
  return runInLanes(starts.length, concurrency, (e) => runEpisode(environment, policy, starts[e]));
}
