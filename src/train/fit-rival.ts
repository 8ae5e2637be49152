import { cancelled } from "../base/cancel.ts";
import { createRng } from "../base/rng.ts";
import { mean } from "../base/stats.ts";
import type { Environment } from "../contracts/environment.ts";
import type { Weights } from "../contracts/policy.ts";
import type { Question } from "../contracts/task.ts";
import type { PlayedEpisode, Rival, RivalShape } from "../rivals/rival.ts";
import { type BaselineMemory, computeAdvantages, emptyMemory } from "./baseline.ts";
import type { Rollout } from "./batch.ts";
import { countCalls } from "./count-calls.ts";
import { deliberationReading } from "./deliberation-reading.ts";
import { chargeCost, meanCost } from "./episode-cost.ts";
import { refuseFailure } from "./failures.ts";
import { playRollouts, playValidation } from "./rollout.ts";
import type { TrainSettings } from "./settings.ts";
import { trainingStarts } from "./starts.ts";

/** What a rival is trained on. */
export interface FitRivalInput {
  readonly rival: Rival;
  readonly shape: RivalShape;
  readonly environment: Environment;
  readonly questions: { readonly train: readonly Question[]; readonly validation: readonly Question[] };
  /** Of the credit policy's run: starts, samples, attacks, baseline, cost and validation are taken from it; the rest is the network's own. */
  readonly settings: TrainSettings;
  readonly seed: number;
  /** Agent calls, shared ones counted once, after which training stops; the update that reaches it is finished. */
  readonly calls: number;
  readonly concurrency: number;
  readonly signal?: AbortSignal;
  /** Told after every update how many calls are spent. */
  readonly onProgress?: (calls: number) => void;
}

export interface FitRivalResult {
  readonly weights: Weights;
  /** Spent, shared ones counted once. */
  readonly calls: number;
  readonly episodes: number;
  /** Mean utility of the last update's episodes, while edges were drawn; 0 where nothing was played. */
  readonly utility: number;
  /** False where no weights of the training did as well in validation as those before it, which are kept then. */
  readonly learned: boolean;
}

/**
 * Trains a rival on the starts the credit policy is trained on (same questions, attacks and draws of the team), for as many
 * agent calls, and keeps the weights that did best in its validation episodes, as it is done for that policy; those before
 * training are among them. Failed episodes teach nothing. The same seed gives the same weights, whatever the concurrency.
 *
 * @throws ColloquyError `train/failed` where all episodes of an update fail, `llm/cancelled` when the signal is aborted, and
 * whatever the world throws
 */
export async function fitRival(input: FitRivalInput): Promise<FitRivalResult> {
  const { rival, shape, questions, settings, seed, signal } = input;
  let state = rival.begin(shape, createRng(seed).fork("rival"));
  let calls = 0;
  let episodes = 0;
  let utility = 0;
  const memory = emptyMemory();
  let best = rival.learn === undefined ? { weights: state.weights, reward: 0 } : await validate(input, state.weights);
  let learned = false;
  for (let step = 0; rival.learn !== undefined && calls < input.calls; step++) {
    // Synchronous agents never leave the event loop by themselves: an interrupt has to get through.
    await new Promise((resolve) => setImmediate(resolve));
    if (signal?.aborted) throw cancelled(signal);
    const starts = trainingStarts(questions.train, settings, seed, step).map((start) => ({ ...start, signal }));
    const policy = rival.policy(state.weights, shape, "sampled");
    const all = await playRollouts(input.environment, policy, starts, settings.samples, input.concurrency);
    const spent = countCalls(all, deliberationReading);
    const rollouts = withoutFailures(all, step);
    state = rival.learn(state, withAdvantages(rollouts, settings, memory), shape);
    calls += spent;
    episodes += all.length;
    utility = mean(rollouts.map(({ record }) => record.utility));
    const isLast = calls >= input.calls || spent === 0;
    if (isLast || (step + 1) % settings.validation.every === 0) {
      const now = await validate(input, state.weights);
      if (now.reward >= best.reward) {
        best = now;
        learned = true;
      }
    }
    input.onProgress?.(calls);
    // A team that is never asked would never spend its calls.
    if (spent === 0) break;
  }
  return { weights: best.weights, calls, episodes, utility, learned };
}

interface Validated {
  readonly weights: Weights;
  readonly reward: number;
}

/** The way of judging some weights that earns most, the first on ties; without validation questions all earn the same. */
async function validate(input: FitRivalInput, weights: Weights): Promise<Validated> {
  const ways = input.rival.candidates?.(weights) ?? [weights];
  let best: Validated = { weights: ways[0], reward: -Infinity };
  for (const way of ways) {
    const reward = await rewardOf(input, way);
    if (reward > best.reward) best = { weights: way, reward };
  }
  return best;
}

async function rewardOf(input: FitRivalInput, weights: Weights): Promise<number> {
  const { rival, shape, environment, questions, settings } = input;
  if (questions.validation.length === 0) return 0;
  const policy = rival.policy(weights, shape, "threshold");
  const records = await playValidation(environment, policy, questions.validation, input);
  refuseFailure(records, "a validation of a rival");
  const { weight, per } = settings.cost;
  return (
    mean(records.map(({ utility }) => utility)) -
    (weight === 0 ? 0 : weight * meanCost(records, per, deliberationReading.costUnits))
  );
}

function withoutFailures(rollouts: readonly Rollout[], step: number): Rollout[] {
  refuseFailure(
    rollouts.map(({ record }) => record),
    `update ${step + 1}`,
  );
  return rollouts.filter(({ record }) => record.outcome !== "failed");
}

function withAdvantages(
  rollouts: readonly Rollout[],
  { baseline, cost }: TrainSettings,
  memory: BaselineMemory,
): PlayedEpisode[] {
  const records = rollouts.map(({ record }) => record);
  const utilities = records.map(({ utility }) => utility);
  const advantages = computeAdvantages(
    baseline,
    chargeCost(utilities, records, cost, deliberationReading.costUnits),
    rollouts.map(({ group }) => group),
    records.map(({ question }) => question),
    memory,
  );
  return rollouts.map(({ decisions, record }, e) => ({ decisions, record, advantage: advantages[e] }));
}
