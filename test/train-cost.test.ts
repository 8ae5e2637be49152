import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { createRng } from "../src/base/rng.ts";
import { mean, sum } from "../src/base/stats.ts";
import { readCheckpoint, writeCheckpoint } from "../src/checkpoint/folder.ts";
import type { Environment, EpisodeStart } from "../src/contracts/environment.ts";
import type { EpisodeRecord } from "../src/contracts/trace.ts";
import { runEpisode } from "../src/environments/index.ts";
import { reduceEpisode } from "../src/evaluate/episode-numbers.ts";
import { type Backend, networks, openBackend } from "../src/nets/index.ts";
import { createForward } from "../src/runtime/forward.ts";
import { networkPolicy } from "../src/runtime/network-policy.ts";
import { deliberationReading } from "../src/train/deliberation-reading.ts";
import { chargeCost, costIn, meanCost } from "../src/train/episode-cost.ts";
import { type StepReport, train } from "../src/train/index.ts";
import type { RunLogs } from "../src/train/run-folder.ts";
import { beginTraining, type Progress, readTrainer } from "../src/train/state.ts";
import { trainStep } from "../src/train/step.ts";
import { gameQuestions, gameStarts, gameWorld } from "./support/game-world.ts";
import { learnInMemory, type ToySettings, toyNetwork, toyTraining } from "./support/toy-training.ts";
import { deliberate, opinionated, sources, startOf } from "./support/worlds.ts";

let backend: Backend;
beforeAll(async () => {
  backend = await openBackend("wasm");
});

const { costUnits } = deliberationReading;
const units = ["calls", "edges", "levels", "tokens"] as const;
const episodeCost = (record: EpisodeRecord, per: (typeof units)[number]): number => costIn(costUnits, per)(record);

describe("the cost of an episode", () => {
  let records: EpisodeRecord[];
  beforeAll(async () => {
    const source = sources.simulated();
    const world = deliberate(source);
    const policy = opinionated(world, "sampled");
    records = await Promise.all(source.questions.map((question) => runEpisode(world, policy, startOf(question))));
  });

  it("counts what the evaluation counts: calls, edges, and the levels of all rounds", () => {
    for (const record of records) {
      const { calls, edges, levels } = reduceEpisode(record);
      expect(units.slice(0, 3).map((per) => episodeCost(record, per))).toEqual([calls, edges, levels]);
    }
    for (const per of ["calls", "edges", "levels"] as const)
      expect(new Set(records.map((record) => episodeCost(record, per))).size).toBeGreaterThan(2);
  });

  it("counts edges through time, and tokens by the thousand", () => {
    const [first] = records;
    const decisions = first.decisions.map((decision) => ({ ...decision, temporal: [[0, 1]] as const }));
    const more = episodeCost({ ...first, decisions }, "edges") - episodeCost(first, "edges");
    expect(more).toBe(first.decisions.length);
    expect(episodeCost({ ...first, tokens: 2500 }, "tokens")).toBe(2.5);
  });

  it("is a mean over episodes that have not failed: a failed one may have counted no tokens", () => {
    const counted = records.map((record, k) => ({ ...record, tokens: 1000 * (k + 1) }));
    const failed = { ...records[0], outcome: "failed" as const, tokens: null };
    expect(meanCost([...counted, failed], "tokens", costUnits)).toBe(mean(counted.map(({ tokens }) => tokens / 1000)));
    expect(meanCost([failed], "tokens", costUnits)).toBe(0);
  });

  it("comes off the reward at λ a unit", () => {
    const rewards = records.map(({ utility }) => utility);
    for (const per of ["calls", "edges", "levels"] as const) {
      const charged = chargeCost(rewards, records, { weight: 0.03, per }, costUnits);
      charged.forEach((reward, e) => {
        expect(reward).toBeCloseTo(rewards[e] - 0.03 * episodeCost(records[e], per), 12);
      });
    }
  });

  it("is nothing at λ = 0, where not even tokens need to be countable", () => {
    const rewards = records.map(({ utility }) => utility);
    for (const per of units) expect(chargeCost(rewards, records, { weight: 0, per }, costUnits)).toBe(rewards);
  });

  it("in tokens that nobody counted ends the training with the choices that are left", async () => {
    const input = toyTraining(backend, anyWorld, gameQuestions(4), { steps: 1, cost: { weight: 0.1, per: "tokens" } });
    await expect(learnInMemory(input)).rejects.toMatchObject({
      code: "train/cost",
      message: expect.stringContaining("counts no tokens"),
      hint: expect.stringMatching(/calls, edges or levels/),
    });
  });
});

const anyWorld = gameWorld({
  agents: 3,
  decisions: 2,
  scalars: ["place"],
  see: (_start, _taken, agent) => [agent],
  utility: ({ question, sample }, taken) => createRng(1).fork(question.id, sample, taken.join()).uniform(),
});

/** A world whose episodes have paid for tokens. */
const priced = (world: Environment, tokens: number | null, cost: number | null | undefined): Environment => ({
  ...world,
  async reset(start) {
    const episode = await world.reset(start);
    return { ...episode, record: () => ({ ...episode.record(), tokens, ...(cost === undefined ? {} : { cost }) }) };
  },
});

/** Reports and metrics of the first updates. */
async function firstUpdates(world: Environment, settings: ToySettings) {
  const input = toyTraining(backend, world, gameQuestions(10), { steps: 3, ...settings });
  const { fromWeights, dispose } = networks[input.network.kind];
  const metrics: unknown[] = [];
  const silence = { append: () => {}, size: () => 0, close: () => {} };
  const logs: RunLogs = {
    metrics: { ...silence, append: (line) => metrics.push(line) },
    episodes: silence,
    timing: silence,
  };
  const network = fromWeights(backend.tf, input.network, input.initial);
  let state = beginTraining(input.initial);
  const reports: StepReport[] = [];
  for (let step = 0; step < 3; step++) {
    const { next, report } = await trainStep(state, network, input, logs);
    state = next;
    reports.push(report);
  }
  dispose(network);
  return { metrics, reports, weights: state.raw };
}

describe("a training step under a cost", () => {
  it("logs the mean cost of an episode, and nothing new where there is none", async () => {
    const free = await firstUpdates(anyWorld, {});
    const charged = await firstUpdates(anyWorld, { cost: { weight: 0.1, per: "levels" } });
    expect(free.metrics[0]).not.toHaveProperty("rollout/cost");
    // Two rounds of one level each, and the first.
    expect(charged.metrics[0]).toMatchObject({ "rollout/cost": 3 });
    expect(await firstUpdates(anyWorld, { cost: { weight: 0, per: "edges" } })).toEqual(free);
    // All episodes cost the same, so leave-one-out sees no difference either.
    for (const [name, { data }] of Object.entries(free.weights))
      data.forEach((weight, k) => {
        expect(charged.weights[name].data[k]).toBeCloseTo(weight, 4);
      });
  });

  it("reports levels, and tokens and dollars of the run so far", async () => {
    const { reports } = await firstUpdates(priced(anyWorld, 100, 0.5), {});
    // 8 starts, 4 runs each.
    expect(reports.map(({ tokens }) => tokens)).toEqual([3200, 6400, 9600]);
    expect(reports.map(({ cost }) => cost)).toEqual([16, 32, 48]);
    expect(reports[0].levels).toBe(1);
  });

  it("knows no sum where one part is unknown, and takes calls without a price as free", async () => {
    const [unknown] = (await firstUpdates(priced(anyWorld, null, null), {})).reports;
    expect(unknown).toMatchObject({ tokens: null, cost: null });
    const [free] = (await firstUpdates(priced(anyWorld, null, undefined), {})).reports;
    expect(free).toMatchObject({ tokens: null, cost: 0 });
  });

  it("goes on from a state that was saved before tokens and dollars were kept, and says that it does not know them", async () => {
    const folder = mkdtempSync(join(tmpdir(), "colloquy-cost-"));
    const reports: StepReport[] = [];
    const input = { ...toyTraining(backend, priced(anyWorld, 100, 0.5), gameQuestions(10), { steps: 4 }), folder };
    const stop = new AbortController();
    await train({ ...input, signal: stop.signal, onProgress: ({ step }) => step === 2 && stop.abort() });
    const last = join(folder, "checkpoints", "last");
    const { manifest, weights, trainer } = readCheckpoint(last, { trainer: true });
    const { progress, ...rest } = JSON.parse(trainer!.json) as { progress: Progress };
    expect(progress.tokens).toBe(6400);
    const { tokens: _tokens, cost: _cost, ...older } = progress;
    const json = JSON.stringify({ progress: older, ...rest });
    writeCheckpoint(last, { manifest, weights, trainer: { tensors: trainer!.tensors, json } }, "A toy.");
    expect(readTrainer(last)!.state.progress).toEqual({ ...older, tokens: null, cost: null });
    await train({ ...input, onProgress: (report) => reports.push(report) });
    rmSync(folder, { recursive: true });
    expect(reports.map(({ step, tokens, cost }) => [step, tokens, cost])).toEqual([
      [3, null, null],
      [4, null, null],
    ]);
  });
});

/** Five agents of equal skill, told apart by their place; more voices are right more often. */
const panel = gameWorld({
  agents: 5,
  decisions: 1,
  scalars: ["0", "1", "2", "3", "4"],
  see: (_start, _taken, agent) => [0, 1, 2, 3, 4].map((place) => (place === agent ? 1 : 0)),
  utility: (start, [participants]) => {
    const right = sum(participants.map((z, i) => (z === 1 && isRight(start, i) ? 1 : 0)));
    return right * 2 > sum(participants) ? 1 : right * 2 === sum(participants) ? 0.5 : 0;
  },
});
const isRight = ({ question, seed, sample }: EpisodeStart, agent: number): boolean =>
  createRng(seed).fork(question.id, sample, agent).uniform() < 0.75;

describe("a policy that pays for what it asks", () => {
  /** Mean participants of the policy that training under λ a call ends with. */
  async function participantsAt(weight: number, seed: number): Promise<number> {
    const settings = { steps: 100, starts: 16, seed, cost: { weight, per: "calls" } } as const;
    const { weights } = await learnInMemory(toyTraining(backend, panel, gameQuestions(200), settings));
    const policy = networkPolicy("toy", createForward(toyNetwork(panel), weights), "threshold");
    const records = await Promise.all(
      gameStarts(gameQuestions(20, "fresh"), 9).map((start) => runEpisode(panel, policy, start)),
    );
    return mean(records.map(({ decisions }) => sum(decisions[0].participants)));
  }

  it("lets fewer speak the more a call costs, at equal seeds", async () => {
    for (const seed of [1, 2, 3]) {
      const [free, dear] = [await participantsAt(0, seed), await participantsAt(0.3, seed)];
      expect(free, `seed ${seed}`).toBe(5);
      expect(dear, `seed ${seed}`).toBe(1);
    }
  });
});
