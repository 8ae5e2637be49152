import type { Environment, Item } from "../contracts/environment.ts";
import type { Policy } from "../contracts/policy.ts";
import type { Question } from "../contracts/task.ts";
import type { EpisodeRecord, EpisodeTrace } from "../contracts/trace.ts";
import { everyone } from "../environments/index.ts";
import { createForward } from "../runtime/forward.ts";
import { networkPolicy } from "../runtime/network-policy.ts";
import type { TrainInput } from "./input.ts";
import { playRollouts, playValidation } from "./rollout.ts";
import { trainingStarts } from "./starts.ts";
import { survey } from "./survey.ts";

/** Some of a run's episodes, and how many times as many of their kind the run plays. */
export interface RehearsalPart {
  readonly times: number;
  play(): Promise<unknown>;
}

/** What of a training run decides which episodes it plays. */
export type RehearsalInput<Q extends Item = Question, R extends EpisodeTrace = EpisodeRecord> = Pick<
  TrainInput<Q, R>,
  "settings" | "seed" | "network" | "initial" | "environment" | "firstRound" | "questions" | "concurrency" | "minimum"
>;

/**
 * Of the calls after the first round that the untrained policy makes in a validation, the share a policy in training pays
 * for, on average over validations: the others are as in an earlier one, or agents have stopped speaking. Between .1 and .35
 * in eight runs on recorded debates [ours].
 */
const askedAnew = 0.3;

/**
 * The episodes a training run would play, without learning anything: the survey, some of the updates, and the validations.
 * Played in order by agents that are counted, they tell what the run would cost.
 * @param policy decides in place of the network
 * @param most episodes of updates that are played
 */
export function rehearseTraining<Q extends Item, R extends EpisodeTrace>(
  input: RehearsalInput<Q, R>,
  policy: Policy | undefined,
  most: number,
): RehearsalPart[] {
  const { settings, seed, environment, firstRound, questions, network, initial, concurrency, minimum } = input;
  const own = (participation: "sampled" | "threshold"): Policy =>
    policy ?? networkPolicy("rehearsal", createForward(network, initial), participation, minimum);
  const played = Math.max(1, Math.min(settings.steps, Math.ceil(most / (settings.starts * settings.samples))));
  const playUpdate = (world: Environment<Q, R>, step: number, samples: number): Promise<unknown> =>
    playRollouts(world, own("sampled"), trainingStarts(questions.train, settings, seed, step), samples, concurrency);
  const validate = (world: Environment<Q, R>): Promise<unknown> =>
    playValidation(world, own("threshold"), questions.validation, input);
  const steps = settings.warmStartSteps + settings.steps;
  const validations = questions.validation.length > 0 ? Math.ceil(steps / settings.validation.every) : 0;
  return [
    { times: 1, play: () => survey(input) },
    { times: settings.warmStartSteps, play: () => playUpdate(firstRound ?? environment, 0, 1) },
    {
      times: settings.steps / played,
      async play() {
        for (let k = 0; k < played; k++) await playUpdate(environment, settings.warmStartSteps + k, settings.samples);
      },
    },
    ...(firstRound === undefined
      ? [{ times: validations, play: () => validate(environment) }]
      : [
          // All validations open with the same first round, which is paid once; what follows depends on the policy of the day.
          { times: Math.min(1, validations), play: () => validate(firstRound) },
          { times: validationsAnew(validations, policy), play: () => validate(environment) },
        ]),
  ].filter(({ times }) => times > 0);
}

/** Between the extremes: what a policy in training asks anew in a validation, or no longer asks, is a rule of thumb. */
function validationsAnew(validations: number, policy: Policy | undefined): number {
  if (policy === undefined) return askedAnew * validations;
  return policy === everyone ? validations : Math.min(1, validations);
}
