import { mix32 } from "../base/fnv.ts";
import { sumKnown } from "../base/stats.ts";
import type { Weights } from "../contracts/policy.ts";
import type { EpisodeRecord } from "../contracts/trace.ts";
import { type CreditNetwork, networks } from "../nets/index.ts";
import { createForward } from "../runtime/forward.ts";
import { networkPolicy } from "../runtime/network-policy.ts";
import { computeAdvantages } from "./baseline.ts";
import { packBatch, type Rollout } from "./batch.ts";
import { chargeCost, episodeCost } from "./episode-cost.ts";
import { describeFailures, refuseFailure } from "./failures.ts";
import type { StepReport, TrainInput } from "./input.ts";
import { playRollouts } from "./rollout.ts";
import type { RunLogs } from "./run-folder.ts";
import type { TrainSettings } from "./settings.ts";
import { countByStart } from "./shared-calls.ts";
import { type Collapse, countZeroSignalGroups, findCollapse, hasSignal, sampledEntropy } from "./signal.ts";
import { softVotes } from "./soft-vote.ts";
import { trainingStarts } from "./starts.ts";
import type { Progress, TrainerState } from "./state.ts";
import { checkParity, type Terms, type UpdateResult, update } from "./update.ts";

/** Updates between two checks that rollouts and the network agree. */
const parityEvery = 25;

/** One update: play, form advantages, move the weights, log. */
export async function trainStep(
  state: TrainerState,
  network: CreditNetwork,
  input: TrainInput,
  logs: RunLogs,
): Promise<{ next: TrainerState; report: StepReport }> {
  const { settings, seed, clock } = input;
  const { progress } = state;
  const { step } = progress;
  const isWarm = step < settings.warmStartSteps;
  const terms = termsOf(settings, progress, isWarm);

  const startedMs = clock.elapsedMs();
  const policy = networkPolicy("training", createForward(input.network, state.raw), "sampled");
  const starts = trainingStarts(input.questions.train, settings, seed, step);
  const world = isWarm ? input.firstRound : input.environment;
  const all = await playRollouts(world, policy, starts, isWarm ? 1 : settings.samples, input.concurrency);
  const rolledOutMs = clock.elapsedMs();

  // Failed episodes are logged and counted; they teach nothing. Where all fail, there is nothing to go on with.
  const rollouts = all.filter(({ record }) => record.outcome !== "failed");
  refuseFailure(
    all.map(({ record }) => record),
    `update ${step + 1}`,
  );
  const result = learn(state, network, rollouts, terms, settings, mix32(seed * 7919 + step));

  const shared = countByStart(all);
  const calls = sum(all, ({ calls }) => calls);
  Object.assign(progress, {
    step: step + 1,
    episodes: progress.episodes + all.length,
    calls: progress.calls + calls,
    sharedCalls: progress.sharedCalls + shared,
    tokens: sumKnown([progress.tokens, ...all.map(({ record }) => record.tokens)]),
    cost: sumKnown([progress.cost, ...all.map(({ record: { cost = 0 } }) => cost)]),
  });
  const speaking = all.flatMap(({ record }) => record.decisions.filter(({ round }) => round <= record.rounds.length));
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
    warnings: describeFailures(all.map(({ record }) => record)),
  };
  for (const { record } of all) logs.episodes.append({ step, ...withVersion(record, step) });
  logs.metrics.append({
    step: step + 1,
    "rollout/utility": report.utility,
    "rollout/episodes": all.length,
    "rollout/failed": all.length - rollouts.length,
    "rollout/participants": report.participants,
    "rollout/edges": report.edges,
    "rollout/calls": calls,
    "rollout/callsShared": shared,
    ...(settings.cost.weight === 0 ? {} : { "rollout/cost": mean(costsOf(rollouts, settings)) }),
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

function learn(
  state: TrainerState,
  network: CreditNetwork,
  rollouts: readonly Rollout[],
  terms: Terms,
  settings: TrainSettings,
  dropoutSeed: number,
): Learned {
  const batch = packBatch(rollouts);
  if (state.progress.step % parityEvery === 0) checkParity(network, batch);
  const records = rollouts.map(({ record }) => record);
  const earned = settings.reward === "right" ? records.map(({ utility }) => utility) : softVotes(batch);
  const rewards = chargeCost(earned, records, settings.cost);
  const groups = rollouts.map(({ group }) => group);
  const questions = records.map(({ question }) => question);
  const advantages = scaled(
    computeAdvantages(settings.baseline, rewards, groups, questions, state.progress.baseline),
    settings.normalizeAdvantages,
  );
  const seen = {
    zeroSignalGroups: countZeroSignalGroups(rewards, groups),
    collapse: findCollapse(batch),
    entropy: sampledEntropy(batch),
  };
  if (!hasSignal(batch, advantages, terms)) return { ...idle(state), ...seen };
  return { ...update(network, batch, advantages, terms, settings, state.adam, dropoutSeed), ...seen };
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

const withVersion = (record: EpisodeRecord, policyVersion: number): EpisodeRecord => ({ ...record, policyVersion });

const describeCollapse = (kind: string): string =>
  `policy_collapsed: ${kind === "one" ? "one agent alone takes part" : `${kind} of the agents take part`}, whatever happens`;

const sum = (rollouts: readonly Rollout[], of: (record: EpisodeRecord) => number): number =>
  rollouts.reduce((total, { record }) => total + of(record), 0);

const costsOf = (rollouts: readonly Rollout[], { cost }: TrainSettings): number[] =>
  rollouts.map(({ record }) => episodeCost(record, cost.per));

const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((a, b) => a + b, 0) / values.length;
