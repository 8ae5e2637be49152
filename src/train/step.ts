import { mix32 } from "../base/fnv.ts";
import { sum, sumKnown } from "../base/stats.ts";
import type { Item } from "../contracts/environment.ts";
import type { Weights } from "../contracts/policy.ts";
import type { EpisodeTrace } from "../contracts/trace.ts";
import { type CreditNetwork, networks } from "../nets/index.ts";
import { createForward } from "../runtime/forward.ts";
import { networkPolicy } from "../runtime/network-policy.ts";
import { computeAdvantages } from "./baseline.ts";
import { packBatch, type Rollout } from "./batch.ts";
import { countCalls } from "./count-calls.ts";
import { chargeCost, meanCost } from "./episode-cost.ts";
import { describeFailures, refuseFailure } from "./failures.ts";
import type { StepReport, TrainInput } from "./input.ts";
import { divide } from "./parts.ts";
import { playRollouts } from "./rollout.ts";
import type { RunLogs } from "./run-folder.ts";
import type { TrainSettings } from "./settings.ts";
import { type Collapse, countZeroSignalGroups, findCollapse, hasSignal, sampledEntropy } from "./signal.ts";
import { softVotes } from "./soft-vote.ts";
import { trainingStarts } from "./starts.ts";
import type { Progress, TrainerState } from "./state.ts";
import { checkParity, type Terms, type UpdateResult, update } from "./update.ts";
import type { WorldReading } from "./world-reading.ts";

/** Updates between two checks that rollouts and the network agree. */
const parityEvery = 25;

/** One update: play, form advantages, move the weights, log. */
export async function trainStep<Q extends Item, R extends EpisodeTrace>(
  state: TrainerState,
  network: CreditNetwork,
  input: TrainInput<Q, R>,
  logs: RunLogs,
): Promise<{ next: TrainerState; report: StepReport }> {
  const { settings, seed, clock, reading } = input;
  const { progress } = state;
  const { step } = progress;
  const isWarm = step < settings.warmStartSteps;
  const terms = termsOf(settings, progress, isWarm);

  const startedMs = clock.elapsedMs();
  const policy = networkPolicy(
    "training",
    createForward(input.network, state.raw),
    "sampled",
    input.minimum,
    settings.order,
  );
  const starts = trainingStarts(input.questions.train, settings, seed, step);
  const world = (isWarm ? input.firstRound : undefined) ?? input.environment;
  const all = await playRollouts(world, policy, starts, isWarm ? 1 : settings.samples, input.concurrency);
  const rolledOutMs = clock.elapsedMs();

  // Failed episodes are logged and counted; they teach nothing. Where all fail, there is nothing to go on with.
  const records = all.map(({ record }) => record);
  const rollouts = all.filter(({ record }) => record.outcome !== "failed");
  refuseFailure(records, `update ${step + 1}`);
  const result = learn(state, network, rollouts, reading, terms, settings, mix32(seed * 7919 + step));

  const shared = countCalls(all, reading);
  const calls = sum(records.map((record) => record.calls));
  Object.assign(progress, {
    step: step + 1,
    episodes: progress.episodes + all.length,
    calls: progress.calls + calls,
    sharedCalls: progress.sharedCalls + shared,
    tokens: sumKnown([progress.tokens, ...records.map(({ tokens }) => tokens)]),
    cost: sumKnown([progress.cost, ...records.map(({ cost = 0 }) => cost)]),
  });
  const speaking = all.flatMap(({ record, decisions }) =>
    record.decisions.filter((_, d) => decisions[d].observation.head === "communicate"),
  );
  const report: StepReport = {
    step: step + 1,
    utility: mean(rollouts.map(({ record }) => record.utility)),
    entropy: result.entropy,
    participants: mean(speaking.map(({ participants }) => participants.reduce((a, b) => a + b, 0))),
    edges: mean(speaking.map(({ edges, temporal = [] }) => edges.length + temporal.length)),
    levels: mean(speaking.map(({ levels }) => levels)),
    calls: progress.sharedCalls,
    tokens: progress.tokens,
    cost: progress.cost,
    episodes: progress.episodes,
    batchEpisodes: all.length,
    rolloutMs: rolledOutMs - startedMs,
    updateMs: clock.elapsedMs() - rolledOutMs,
    ...(result.collapse === undefined ? {} : { collapse: describeCollapse(result.collapse) }),
    warnings: describeFailures(records),
  };
  for (const record of records) logs.episodes.append({ step, ...asLogged(record, step, reading) });
  logs.metrics.append({
    step: step + 1,
    "rollout/utility": report.utility,
    "rollout/episodes": all.length,
    "rollout/failed": all.length - rollouts.length,
    "rollout/participants": report.participants,
    "rollout/edges": report.edges,
    "rollout/calls": calls,
    "rollout/callsShared": shared,
    ...(settings.cost.weight === 0 ? {} : { "rollout/cost": meanCost(records, settings.cost.per, reading.costUnits) }),
    "train/loss": result.loss,
    "train/entropy": result.entropy,
    "train/gradientNorm": result.gradientNorm,
    "train/epochs": result.epochs,
    "train/zeroSignalGroups": result.zeroSignalGroups,
    "train/moved": result.epochs > 0,
    ...(result.collapse === undefined ? {} : { "train/policyCollapsed": result.collapse }),
  });
  logs.timing.append({ step: step + 1, "time/rolloutMs": report.rolloutMs, "time/updateMs": report.updateMs });
  const raw = result.epochs > 0 ? networks[input.network.kind].weights(network) : state.raw;
  return {
    next: { ...state, raw, averaged: average(state.averaged, raw, settings.averaging), adam: result.state },
    report,
  };
}

interface Learned extends UpdateResult {
  readonly zeroSignalGroups: number;
  readonly collapse?: Collapse;
}

function learn<R extends EpisodeTrace>(
  state: TrainerState,
  network: CreditNetwork,
  rollouts: readonly Rollout<R>[],
  reading: WorldReading<R>,
  terms: Terms,
  settings: TrainSettings,
  dropoutSeed: number,
): Learned {
  const batch = packBatch(rollouts, reading);
  const records = rollouts.map(({ record }) => record);
  const earned = settings.reward === "right" ? records.map(({ utility }) => utility) : softVotes(batch);
  const rewards = chargeCost(earned, records, settings.cost, reading.costUnits);
  const groups = rollouts.map(({ group }) => group);
  const questions = records.map(({ question }) => question);
  const advantages = scaled(
    computeAdvantages(settings.baseline, rewards, groups, questions, state.progress.baseline),
    settings.normalizeAdvantages,
  );
  const parts = divide(batch, rollouts, advantages, reading);
  if (state.progress.step % parityEvery === 0) for (const part of parts) checkParity(network, part.batch);
  const seen = {
    zeroSignalGroups: countZeroSignalGroups(rewards, groups),
    collapse: findCollapse(batch),
    entropy: sampledEntropy(batch),
  };
  if (!hasSignal(batch, advantages, terms)) return { ...idle(state), ...seen };
  return { ...update(network, parts, terms, settings, state.adam, dropoutSeed), ...seen };
}

const idle = (state: TrainerState): Learned => ({
  state: state.adam,
  loss: 0,
  gradientNorm: 0,
  entropy: 0,
  epochs: 0,
  zeroSignalGroups: 0,
});

/** Schedules follow the updates, or the calls where these will end the run first. */
function termsOf(settings: TrainSettings, { step, sharedCalls }: Progress, isWarm: boolean): Terms {
  const ofSteps = step / (settings.warmStartSteps + settings.steps);
  const done = Math.min(1, Math.max(ofSteps, settings.calls === null ? 0 : sharedCalls / settings.calls));
  const rate = 1 - (1 - settings.learningRateEnd) * done;
  if (isWarm) return { reinforce: 0, decisionLoss: 1, entropy: 0, rate };
  const { reinforce, decisionLoss, entropy } = settings;
  return { reinforce, decisionLoss, entropy: entropy * (1 - done), rate };
}

/** Divides by the deviation where asked to; all-equal advantages stay as they are. */
function scaled(advantages: Float32Array, normalize: boolean): Float32Array {
  const deviation = Math.sqrt(advantages.reduce((total, a) => total + a * a, 0) / Math.max(1, advantages.length));
  return normalize && deviation > 0 ? advantages.map((advantage) => advantage / deviation) : advantages;
}

function average(before: Weights, raw: Weights, decay: number): Weights {
  if (decay === 0) return raw;
  return Object.fromEntries(
    Object.entries(raw).map(([name, { shape, data }]) => [
      name,
      { shape, data: data.map((value, k) => decay * before[name].data[k] + (1 - decay) * value) },
    ]),
  );
}

/** A record with the version of the policy that decided, as the world wants it logged. */
function asLogged<R extends EpisodeTrace>(record: R, policyVersion: number, { logsEdges }: WorldReading<R>): object {
  if (logsEdges !== false) return { ...record, policyVersion };
  return { ...record, decisions: record.decisions.map(({ edges: _drawn, ...decision }) => decision), policyVersion };
}

const describeCollapse = (kind: string): string =>
  `policy_collapsed: ${kind === "one" ? "one agent alone takes part" : `${kind} of the agents take part`}, whatever happens`;

const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((a, b) => a + b, 0) / values.length;
