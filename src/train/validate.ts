import { bootstrapMean } from "../base/intervals.ts";
import { createRng } from "../base/rng.ts";
import type { Item } from "../contracts/environment.ts";
import type { EpisodeTrace } from "../contracts/trace.ts";
import { createForward } from "../runtime/forward.ts";
import { networkPolicy } from "../runtime/network-policy.ts";
import { meanCost } from "./episode-cost.ts";
import { refuseFailure } from "./failures.ts";
import type { TrainInput } from "./input.ts";
import { playValidation } from "./rollout.ts";
import type { RunLogs } from "./run-folder.ts";
import type { Score, TrainerState } from "./state.ts";

/**
 * Plays the validation episodes with the judged weights and notes the score in `state.progress`: a new best, or one more
 * validation without one, which may stop the run. @returns whether it is a new best
 */
export async function validate<Q extends Item, R extends EpisodeTrace>(
  state: TrainerState,
  input: TrainInput<Q, R>,
  logs: RunLogs,
): Promise<boolean> {
  const { progress } = state;
  const { settings, seed, environment, questions, network, reading } = input;
  const policy = networkPolicy("validation", createForward(network, state.averaged), "threshold", input.minimum);
  const records = await playValidation(environment, policy, questions.validation, input);
  refuseFailure(records, `the validation after update ${progress.step}`);
  const n = records.length;
  const accuracy = records.reduce((sum, { utility }) => sum + utility, 0) / n;
  const confidence =
    records.reduce((sum, record) => sum + (reading.answers?.confidence(record) ?? record.utility), 0) / n;
  // Questions are played several times, and they are the unit.
  const outcomes = records.map(({ question, utility }) => ({ cluster: question, block: 0, value: utility }));
  const { low, high } = bootstrapMean(outcomes, createRng(seed).fork("validation", "interval", progress.step));
  const { weight, per } = settings.cost;
  const charge = weight === 0 ? {} : { charge: weight * meanCost(records, per, reading.costUnits) };
  const score: Score = { step: progress.step, accuracy, low, high, confidence, n, ...charge };
  const worth = (of: Score): number => of[settings.validation.score] - (of.charge ?? 0);
  const isBest = progress.best === null || worth(score) > worth(progress.best);
  progress.latest = score;
  if (isBest) progress.best = score;
  progress.sinceBest = isBest ? 0 : progress.sinceBest + 1;
  progress.stoppedEarly = settings.validation.patience > 0 && progress.sinceBest >= settings.validation.patience;
  logs.metrics.append({
    step: progress.step,
    [reading.utilityKey]: accuracy,
    "eval/low": low,
    "eval/high": high,
    "eval/confidence": confidence,
    "eval/episodes": n,
    "eval/calls": records.reduce((sum, { calls }) => sum + calls, 0) / n,
    ...Object.fromEntries(
      Object.entries(reading.outcomeKeys).map(([key, outcome]) => [key, countEndings(records, outcome)]),
    ),
    "eval/failed": countEndings(records, "failed"),
    "eval/best": progress.best!.accuracy,
  });
  return isBest;
}

const countEndings = (records: readonly EpisodeTrace[], ending: string): number =>
  records.filter(({ outcome }) => outcome === ending).length;
