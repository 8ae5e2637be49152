import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createRng } from "../src/base/rng.ts";
import { mean, sum } from "../src/base/stats.ts";
import { type PolicyManifest, readManifest } from "../src/checkpoint/manifest.ts";
import type { NetworkConfig, Policy } from "../src/contracts/policy.ts";
import type { WorkplaceRecord } from "../src/contracts/workplace/record.ts";
import { checkEnvironment, replayEpisode, runEpisode, withDecisionLimit } from "../src/environments/index.ts";
import { exportPolicy } from "../src/export/index.ts";
import { type Backend, openBackend } from "../src/nets/index.ts";
import { initialWeights } from "../src/nets/initial-weights.ts";
import { createSession, type LoadedPolicy, loadPolicy } from "../src/runtime/index.ts";
import { networkPolicy } from "../src/runtime/network-policy.ts";
import { packBatch } from "../src/train/batch.ts";
import { countCalls } from "../src/train/count-calls.ts";
import { costIn } from "../src/train/episode-cost.ts";
import { rehearseTraining, train, workplaceReading } from "../src/train/index.ts";
import type { TrainInput } from "../src/train/input.ts";
import { playRollouts, playValidation } from "../src/train/rollout.ts";
import type { TrainSettings } from "../src/train/settings.ts";
import { findCollapse } from "../src/train/signal.ts";
import { errorOf } from "./support/error-of.ts";
import {
  bestSending,
  type Piano,
  type PianoRecord,
  pianoReading,
  pianoStarts,
  pianos,
  pianoWorld,
} from "./support/piano-world.ts";
import { toySettings } from "./support/toy-training.ts";

const root = mkdtempSync(join(tmpdir(), "colloquy-any-world-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
let folders = 0;

let backend: Backend;
beforeAll(async () => {
  backend = await openBackend("wasm");
});

const network: NetworkConfig = {
  kind: "credit-gru",
  embedding: 0,
  projection: 0,
  scalars: pianoWorld.spec.scalars,
  hidden: 4,
  heads: "shared",
  clamp: 6,
};

const manifest = (step: number, minimum: number): PolicyManifest => ({
  schema: "colloquy.policy/1",
  name: "movers",
  environment: pianoWorld.spec.name,
  network,
  embedder: null,
  decision: { topology: "credit", budget: { in: null, out: null, depth: null }, minimum, cut: 0.5 },
  training: { step },
});

type PianoInput = TrainInput<Piano, PianoRecord>;

/** A run in a folder of its own. */
function training(changes: Partial<PianoInput> = {}, settings: Partial<TrainSettings> = {}): PianoInput {
  const { minimum } = changes;
  return {
    settings: {
      ...toySettings,
      steps: 160,
      attack: { kind: "none", adversaries: [0], onsets: ["first"] },
      cost: { weight: 0, per: "climbed" },
      validation: { every: 20, episodes: 30, score: "accuracy", patience: 0 },
      ...settings,
    },
    seed: 1,
    network,
    initial: initialWeights(network, createRng(1)),
    environment: pianoWorld,
    reading: pianoReading,
    questions: { train: pianos(60), validation: pianos(30, "kept") },
    backend,
    folder: join(root, `run-${++folders}`),
    recipe: { name: "movers" },
    provenance: {},
    manifest: (step) => manifest(step, minimum ?? 1),
    card: () => ({ summary: "It moves pianos." }),
    fresh: false,
    concurrency: 4,
    clock: { now: () => 0, elapsedMs: () => 0 },
    ...changes,
  };
}

const fresh = pianoStarts(pianos(40, "fresh"), 7);
const play = (policy: Policy): Promise<PianoRecord[]> =>
  Promise.all(fresh.map((start) => runEpisode(pianoWorld, policy, start)));
const sentIn = (records: readonly PianoRecord[]) =>
  records.map(({ decisions }) => decisions.map(({ participants }) => participants));
const judged = ({ forward }: LoadedPolicy, minimum: number): Policy =>
  networkPolicy("learned", forward, "threshold", minimum);

const metricsOf = (input: PianoInput): Record<string, unknown>[] =>
  readFileSync(join(input.folder, "metrics.jsonl"), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

describe("a world in which nobody answers anything", () => {
  it("keeps the contract of every world, whole or cut off, and can be replayed from its records", async () => {
    await checkEnvironment(pianoWorld, fresh.slice(0, 6));
    const [, , start] = fresh;
    const policy = networkPolicy("any", (await loaded(0)).forward, "sampled", 0);
    const record = await runEpisode(pianoWorld, policy, start);
    expect(await replayEpisode(pianoWorld, record, start.question)).toEqual(record);
    expect(record.decisions).toHaveLength(3);
    expect((await runEpisode(withDecisionLimit(pianoWorld, 2), policy, start)).decisions).toHaveLength(2);
  });

  it("is learned to its optimum, on some floors nobody at all", async () => {
    const { forward } = await loaded(0);
    const records = await play(networkPolicy("learned", forward, "threshold", 0));
    expect(sentIn(records)).toEqual(fresh.map(bestSending));
    expect(sentIn(records).flat()).toContainEqual([0, 0, 0, 0]);
    expect(new Set(records.map(({ utility }) => utility))).toEqual(new Set([1]));
  });

  it("keeps somebody on every floor where the floor on participants says so", async () => {
    const records = await play(judged(await loaded(1), 1));
    const best = fresh.map(bestSending);
    expect(sentIn(records).flat().map(sum)).toEqual(best.flat().map((sent) => Math.max(1, sum(sent))));
  });

  it("logs utility and its own ways to end, and nothing about answers", async () => {
    const input = training({ minimum: 0 }, { steps: 20 });
    const result = await train(input);
    const rows = metricsOf(input);
    const validation = rows.find((row) => "eval/utility" in row)!;
    expect(Object.keys(validation).filter((key) => key.startsWith("eval/"))).toEqual(
      ["utility", "low", "high", "confidence", "episodes", "calls", "dropped", "failed", "best"].map(
        (key) => `eval/${key}`,
      ),
    );
    expect(validation["eval/confidence"]).toBe(validation["eval/utility"]);
    expect(result.validation!.accuracy).toBe(validation["eval/utility"]);
    expect(rows.some((row) => "eval/accuracy" in row)).toBe(false);
  });

  it("goes on after a stop to the same bytes", async () => {
    const whole = training({ minimum: 0 }, { steps: 20 });
    await train(whole);
    const stop = new AbortController();
    const input = training(
      { minimum: 0, signal: stop.signal, onProgress: ({ step }) => step === 7 && stop.abort() },
      { steps: 20 },
    );
    expect((await train(input)).interrupted).toBe(true);
    await train({ ...input, signal: undefined, onProgress: undefined });
    for (const file of ["metrics.jsonl", "episodes.jsonl", "checkpoints/best/policy.safetensors"])
      expect(readFileSync(join(input.folder, file)).equals(readFileSync(join(whole.folder, file))), file).toBe(true);
  });

  it("is charged in its own unit: where climbing is dear, nobody climbs", async () => {
    const input = training({ minimum: 0 }, { cost: { weight: 1, per: "climbed" } });
    const { checkpoint } = await train(input);
    const records = await play(judged(await loadPolicy(checkpoint), 0));
    expect(sum(records.map(({ climbed }) => climbed))).toBe(0);
    const [first] = metricsOf(input);
    expect(first["rollout/cost"]).toBeGreaterThan(0);
  });

  it("can be rehearsed: the survey, the updates and the validations, without a first round of its own", async () => {
    const parts = rehearseTraining(training({ minimum: 0 }), undefined, 100);
    expect(parts.map(({ times }) => times)).toEqual([1, 160 / 4, 8]);
    for (const { play: rehearse } of parts) await rehearse();
  });
});

const trained: Record<number, Promise<LoadedPolicy>> = {};
/** The exported policy that training under a floor ends with. */
function loaded(minimum: 0 | 1): Promise<LoadedPolicy> {
  trained[minimum] ??= (async () => {
    const { checkpoint } = await train(training(minimum === 1 ? {} : { minimum }));
    return loadPolicy(await exportPolicy(backend.tf, checkpoint, join(root, `exported-${minimum}`)));
  })();
  return trained[minimum];
}

describe("what cannot be trained is refused before anything is played", () => {
  it.each([
    [{ decisionLoss: 0.5 }, "train/answers", /decisionLoss is 0.5.*piano-v1/],
    [{ warmStartSteps: 3 }, "train/answers", /warmStartSteps is 3.*piano-v1/],
    [{ reward: "soft" }, "train/answers", /reward is soft.*piano-v1/],
    [{ cost: { weight: 0.1, per: "levels" } }, "train/cost", /"levels"/],
  ] as const)("%o", async (settings, code, message) => {
    const input = training({}, settings);
    await expect(train(input)).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
  });

  it("a floor that the exported policy would not keep", async () => {
    const input = training({ minimum: 0, manifest: (step) => manifest(step, 1) });
    await expect(train(input)).rejects.toMatchObject({ code: "train/minimum" });
  });
});

describe("a policy of such a world in the runtime", () => {
  it("carries the floor that it was trained under, and no vote", async () => {
    for (const minimum of [0, 1] as const) {
      const { decision } = (await loaded(minimum)).manifest;
      expect(decision).toMatchObject({ minimum });
      expect(decision).not.toHaveProperty("voters");
    }
    expect(readFileSync(join(root, "exported-0", "README.md"), "utf8")).toMatch(/at least 0 \|/);
  });

  it("decides from features as it did in training, nobody at all where that is best", async () => {
    const policy = await loaded(0);
    const decided: number[][] = [];
    for (const start of fresh) {
      const session = createSession(policy);
      await runEpisode(pianoWorld, judged(policy, 0), start, ({ scalarsNS }, { participantsN }) => {
        session.observe({ features: scalarsNS });
        const { participants, levels } = session.decide();
        expect([...participants].sort()).toEqual([...participantsN.keys()].filter((i) => participantsN[i] === 1));
        expect(levels.flat()).toHaveLength(participants.length);
        decided.push(participants);
      });
    }
    expect(decided.map((sent) => sent.length)).toContain(0);
  });

  it("keeps to who is eligible and who is forced", async () => {
    const session = createSession(await loaded(0));
    session.observe({ features: [1, 0, 1, 0, -1, 0, -1, 0], eligible: [0, 1, 1, 1], forced: [0, 0, 0, 1] });
    expect([...session.decide().participants].sort()).toEqual([1, 3]);
  });

  it("does not vote, says which features it needs, and refuses one that is no number", async () => {
    const session = createSession(await loaded(0));
    expect(errorOf(() => session.vote())).toMatchObject({
      code: "session/vote",
      message: "there is no vote in piano-v1",
    });
    const told = errorOf(() => session.observe([{ answer: "A", text: "up" }, null, null, null]));
    expect(told).toMatchObject({ code: "session/observation" });
    expect(told.message).toMatch(/helps, mood/);
    expect(told.hint).toMatch(/observe\({ features }\)/);
    const unknown = errorOf(() => session.observe({ features: [1, 0, 1, Number.NaN, 1, 0, 1, 0] }));
    expect(unknown.message).toBe('the feature "mood" of agent 1 is NaN');
  });

  it("needs no voters in its config, which a deliberation does", () => {
    const plain = manifest(1, 0);
    expect(readManifest(plain, "config.json").decision).toEqual(plain.decision);
    const deliberation = { ...plain, environment: "deliberation-v1" };
    expect(errorOf(() => readManifest(deliberation, "config.json")).message).toMatch(/decision\.voters/);
  });
});

describe("a floor of nobody", () => {
  it("leaves every draw in the log-probability, also of a participation of nobody", async () => {
    const policy = networkPolicy("any", (await loaded(0)).forward, "sampled", 0);
    const rollouts = await playRollouts(pianoWorld, policy, fresh, 8, 4);
    const decisions = rollouts.flatMap((rollout) => rollout.decisions);
    for (const { action } of decisions) {
      const byHand = sum(
        Array.from(action.creditsN, (c, i) => -Math.log1p(Math.exp(action.participantsN[i] === 1 ? -c : c))),
      );
      expect(action.logProbability).toBeCloseTo(byHand, 5);
      expect([...action.countedN!]).toEqual([1, 1, 1, 1]);
    }
    expect(decisions.some(({ action }) => !action.participantsN.includes(1))).toBe(true);
  });

  it("is no collapse where it is a choice, and one where nobody ever would, or always one", async () => {
    const policy = networkPolicy("any", (await loaded(0)).forward, "sampled", 0);
    const batch = packBatch(await playRollouts(pianoWorld, policy, fresh, 2, 4), pianoReading);
    expect(findCollapse(batch)).toBeUndefined();
    const credits = batch.credits.map(() => 0);
    const sending = (of: (vote: number) => number) => ({
      ...batch,
      credits,
      chosen: batch.chosen.map((_, row) => (row % 4 < of(Math.floor(row / 4)) ? 1 : 0)),
    });
    // Nobody and two in turn are one on average.
    expect(findCollapse(sending((vote) => 2 * (vote % 2)))).toBeUndefined();
    expect(findCollapse(sending(() => 1))).toBe("one");
    expect(findCollapse({ ...sending(() => 0), credits: credits.map(() => -8) })).toBe("none");
  });

  it("holds in validation as well", async () => {
    const { settings } = training();
    const policy = judged(await loaded(0), 0);
    const records = await playValidation(pianoWorld, policy, pianos(30, "kept"), { settings, seed: 1, concurrency: 4 });
    expect(mean(records.map(({ utility }) => utility))).toBe(1);
  });
});

describe("the workplace, as the trainer reads it", () => {
  const record = {
    workers: 2,
    steps: 20,
    communicationMinutes: 90,
    occupancy: {
      work: [0, 14, 13],
      communicate: [2, 1, 3],
      reply: [3, 1, 0],
      meeting: [2, 2, 2],
      wait: [13, 2, 2],
    },
    calls: 11,
  } as unknown as WorkplaceRecord;
  const costOf = (per: string, of = record): number => costIn(workplaceReading.costUnits, per)(of);

  it("charges the share of steps spent talking, hours of the ledger, or calls", () => {
    expect(costOf("communication")).toBeCloseTo(16 / 60, 12);
    expect(costOf("hours")).toBe(1.5);
    expect(costOf("calls")).toBe(11);
    expect(costOf("communication", { ...record, steps: 0 })).toBe(0);
    expect(errorOf(() => costOf("edges"))).toMatchObject({ code: "train/cost" });
  });

  it("counts each run's calls as they are", () => {
    const runs = [0, 0, 1].map((group) => ({ group, record }));
    expect(countCalls(runs, workplaceReading)).toBe(33);
  });
});
