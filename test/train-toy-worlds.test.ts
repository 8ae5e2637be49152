import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { checkRecipe } from "../src/assemble/index.ts";
import { createRng } from "../src/base/rng.ts";
import { signFlip } from "../src/base/significance.ts";
import { mean, sum } from "../src/base/stats.ts";
import { runTraining } from "../src/cli/run-training.ts";
import type { Environment, EpisodeStart } from "../src/contracts/environment.ts";
import type { Policy, Weights } from "../src/contracts/policy.ts";
import { checkEnvironment, runEpisode } from "../src/environments/index.ts";
import { type Backend, openBackend } from "../src/nets/index.ts";
import { createForward } from "../src/runtime/forward.ts";
import { networkPolicy } from "../src/runtime/network-policy.ts";
import { gameQuestions, gameStarts, gameWorld } from "./support/game-world.ts";
import { learnInMemory, toyNetwork, toyTraining } from "./support/toy-training.ts";

let backend: Backend;
beforeAll(async () => {
  backend = await openBackend("wasm");
});

const policyOf = (environment: Environment, weights: Weights): Policy =>
  networkPolicy("toy", createForward(toyNetwork(environment), weights), "threshold");

const play = async (environment: Environment, weights: Weights, starts: readonly EpisodeStart[]) =>
  Promise.all(starts.map((start) => runEpisode(environment, policyOf(environment, weights), start)));

/** Agent 0 wears a badge and answers right with probability `expert`, the other four with `panel`; a majority decides. */
function panelWorld(expert: number, panel: number): Environment {
  const isRight = ({ question, seed, sample }: EpisodeStart, agent: number): boolean =>
    createRng(seed).fork(question.id, sample, agent).uniform() < (agent === 0 ? expert : panel);
  return gameWorld({
    agents: 5,
    decisions: 1,
    scalars: ["badge", "no badge"],
    see: (_start, _taken, agent) => (agent === 0 ? [1, 0] : [0, 1]),
    utility: (start, [participants]) => {
      const right = sum(participants.map((z, i) => (z === 1 && isRight(start, i) ? 1 : 0)));
      // Half of a tie is right.
      return right * 2 > sum(participants) ? 1 : right * 2 === sum(participants) ? 0.5 : 0;
    },
    answers: (start) => [0, 1, 2, 3, 4].map((agent) => (isRight(start, agent) ? "A" : "B")),
  });
}

describe("two worlds with known optima, from the same start", () => {
  const worlds = {
    // The badge alone is right in .9 of the episodes, everybody together in .70.
    "one strong agent beats the panel": { world: panelWorld(0.9, 0.5), participants: [1, 0, 0, 0, 0] },
    // Five voices are right in .92 of the episodes, the badge alone in .75.
    "the panel beats the strong agent": { world: panelWorld(0.75, 0.75), participants: [1, 1, 1, 1, 1] },
  };

  it.each(Object.entries(worlds))("%s: training ends there", async (_, { world, participants }) => {
    await checkEnvironment(world, gameStarts(gameQuestions(3), 1));
    for (const seed of [1, 2, 3]) {
      const input = toyTraining(backend, world, gameQuestions(200), { steps: 150, starts: 16, seed });
      const { weights } = await learnInMemory(input);
      const [record] = await play(world, weights, gameStarts(gameQuestions(1, "fresh"), 9));
      expect(record.decisions[0].participants, `seed ${seed}`).toEqual(participants);
    }
  });
});

/**
 * Whatever the team, the answer is right with probability ½: right and wrong are drawn anew for each participation, so
 * runs of one start differ and every batch has something that looks like a signal, but nothing carries over.
 */
const nullWorld = gameWorld({
  agents: 4,
  decisions: 1,
  scalars: ["noise", "more noise"],
  see: ({ question }, _, agent) => [rollOf(question.id, agent, 0) - 0.5, rollOf(question.id, agent, 1) - 0.5],
  utility: ({ question, seed, sample }, [participants]) =>
    createRng(seed).fork(question.id, sample, participants.join("")).uniform() < 0.5 ? 1 : 0,
});
const rollOf = (...names: (string | number)[]): number =>
  createRng("noise")
    .fork(...names)
    .uniform();

/** Trains, then plays fresh questions before and after; what `evaluate` would say of the difference. */
async function trainAndCompare(world: Environment, seed: number): Promise<{ isBetter: boolean; hasMoved: boolean }> {
  const input = toyTraining(backend, world, gameQuestions(40), { steps: 25, starts: 4, learningRate: 0.05, seed });
  const { weights } = await learnInMemory(input);
  const fresh = gameStarts(gameQuestions(120, "fresh"), seed, 1);
  const [learned, untrained] = [await play(world, weights, fresh), await play(world, input.initial, fresh)];
  const differences = learned.map(({ utility }, k) => utility - untrained[k].utility);
  // Two-sided 5 % and above 0: one-sided 2.5 %.
  const isBetter = mean(differences) > 0 && signFlip(differences, createRng(seed), 1999) <= 0.05;
  return { isBetter, hasMoved: differences.some((difference) => difference !== 0) };
}

describe("a world where it does not matter who speaks", () => {
  it("is called better than untrained on fresh questions in at most 5 of 100 seeds, one-sided 2.5 %", async () => {
    const better: number[] = [];
    let moved = 0;
    for (let seed = 1; seed <= 100; seed++) {
      const { isBetter, hasMoved } = await trainAndCompare(nullWorld, seed);
      if (isBetter) better.push(seed);
      if (hasMoved) moved++;
    }
    expect(better.length, `seeds ${better}`).toBeLessThanOrEqual(5);
    // Most policies do decide otherwise than before: the test had something to be wrong about.
    expect(moved).toBeGreaterThan(60);
  });

  it("while the same comparison calls a world better where it does matter", async () => {
    const world = panelWorld(0.9, 0.3);
    for (let seed = 1; seed <= 5; seed++) expect((await trainAndCompare(world, seed)).isBetter).toBe(true);
  });

  it("1,000 updates of pure noise leave more than half of the entropy", async () => {
    const input = toyTraining(backend, nullWorld, gameQuestions(40), { steps: 1000, starts: 4, learningRate: 0.003 });
    const { reports } = await learnInMemory(input);
    const half = reports[0].entropy / 2;
    expect(half).toBeGreaterThan(0.3);
    expect(Math.min(...reports.map(({ entropy }) => entropy))).toBeGreaterThan(half);
  });
});

describe("safety", () => {
  const constantWorld = (utility: number): Environment =>
    gameWorld({
      agents: 4,
      decisions: 2,
      scalars: ["place"],
      see: (_start, _taken, agent) => [agent / 4],
      utility: () => utility,
    });

  it.each([0, 0.3, 1])(
    "a constant reward of %d moves nothing, with entropy bonus, weight decay and decision loss on",
    async (utility) => {
      for (const reuse of [1, 3]) {
        const input = toyTraining(backend, constantWorld(utility), gameQuestions(20), {
          steps: 20,
          entropy: 0.5,
          weightDecay: 0.1,
          decisionLoss: 1,
          reuse: { epochs: reuse, clip: 0.2, minimumEffectiveShare: 0.5 },
        });
        const { weights } = await learnInMemory(input);
        expect(bytesOf(weights)).toEqual(bytesOf(input.initial));
      }
    },
  );

  const bytesOf = (weights: Weights): Buffer =>
    Buffer.concat(Object.values(weights).map(({ data }) => Buffer.from(data.buffer, data.byteOffset, data.byteLength)));

  it("no tensor leaks in 200 steps, with every part of the learner on", async () => {
    const folder = mkdtempSync(join(tmpdir(), "colloquy-leaks-"));
    const recipe = checkRecipe(
      {
        name: "leaks",
        population: { kind: "simulated", embeddingDimension: 8, questions: { independent: 40 } },
        network: { projection: 4, hidden: 4 },
        train: {
          steps: 190,
          warmStartSteps: 10,
          starts: 2,
          averaging: 0.9,
          weightDecay: 0.01,
          reuse: { epochs: 2, minimumEffectiveShare: 0.1 },
          validation: { every: 50, episodes: 4 },
        },
      },
      "the test",
    );
    const counts: number[] = [];
    const count = () => counts.push(backend.tf.memory().numTensors);
    const before = backend.tf.memory().numTensors;
    await runTraining(recipe, { out: folder, onProgress: count });
    rmSync(folder, { recursive: true });
    expect(counts).toEqual(new Array(200).fill(counts[0]));
    expect(backend.tf.memory().numTensors).toBe(before);
  });

  it("credits stay within the clamp, however long one side is rewarded", async () => {
    const world = gameWorld({
      agents: 3,
      decisions: 1,
      scalars: ["one"],
      see: () => [1],
      utility: (_, [participants]) => mean(participants),
    });
    const input = toyTraining(backend, world, gameQuestions(5), { steps: 150, learningRate: 0.3, clipNorm: 100 });
    const { weights } = await learnInMemory(input);
    const [record] = await play(world, weights, gameStarts(gameQuestions(1), 1));
    const [credit] = record.decisions[0].credits;
    expect(credit).toBeGreaterThan(4);
    expect(credit).toBeLessThanOrEqual(6);
  });
});
