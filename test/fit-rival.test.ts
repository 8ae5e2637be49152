import { describe, expect, it } from "vitest";
import { plainReinforce } from "../src/assemble/ablations.ts";
import { createRng } from "../src/base/rng.ts";
import type { Environment } from "../src/contracts/environment.ts";
import type { Weights } from "../src/contracts/policy.ts";
import type { Population } from "../src/contracts/population.ts";
import type { Question } from "../src/contracts/task.ts";
import type { EpisodeRecord } from "../src/contracts/trace.ts";
import { runEpisode } from "../src/environments/index.ts";
import { type Rival, rivals } from "../src/rivals/index.ts";
import { topologies } from "../src/topology/index.ts";
import { type FitRivalInput, type FitRivalResult, fitRival } from "../src/train/index.ts";
import { trainingStarts } from "../src/train/starts.ts";
import { toySettings } from "./support/toy-training.ts";
import { deliberate, says, scripted, startOf } from "./support/worlds.ts";

const shape = { agents: 4, rounds: 2 };

const questionsOf = (texts: readonly string[]): Question[] =>
  texts.map((text, i) => ({ id: `q${i}`, text, options: ["right", "wrong"], gold: "A" }));
const plainQuestions = questionsOf(Array.from({ length: 20 }, (_, i) => `Question number ${i}?`));

/** Agents meet as the rivals propose, and vote by plain majority. */
const propose = (population: Population, budget = { in: 1, out: Infinity, depth: Infinity }): Environment =>
  deliberate(
    { population, embedder: null },
    {
      ...shape,
      attackRounds: shape.rounds,
      topology: topologies.proposed.draw,
      budget: () => budget,
      vote: "majority",
      voters: "participants",
      features: [],
    },
  );

/**
 * One agent alone knows the answer, unless somebody talks it out of it; all others say what the one they hear says. The vote
 * is right where most listen to the one who knows, directly or not, and it listens to nobody.
 */
const oneKnows = (expertOf: (question: Question) => number): Population =>
  scripted((agent, { question, heard }) => {
    if (agent === expertOf(question)) return says(heard.length > 0 ? "B" : "A");
    return says(heard[0]?.utterance.answer ?? "B");
  });

const expert = 3;
const world = propose(oneKnows(() => expert));

const train = (rival: Rival, changes: Partial<FitRivalInput> = {}): Promise<FitRivalResult> =>
  fitRival({
    rival,
    shape,
    environment: world,
    questions: { train: plainQuestions, validation: [] },
    settings: toySettings,
    seed: 1,
    calls: 8000,
    concurrency: 8,
    ...changes,
  });

const nobodyAttacks = { kind: "collude", adversaries: 0, onset: "first" };

const judge = (
  rival: Rival,
  weights: Weights,
  question = plainQuestions[0],
  environment = world,
): Promise<EpisodeRecord> =>
  runEpisode(environment, rival.policy(weights, shape, "threshold"), startOf(question, { attack: nobodyAttacks }));

const learners = ["static-edges", "static-edges/pruned", "node-dropout", "query-graph"] as const;

describe("a team in which the last agent alone knows and the others copy what they hear", () => {
  it("is wrong before training", async () => {
    for (const name of ["static-edges", "static-edges/pruned", "node-dropout"] as const) {
      const { weights } = rivals[name].begin(shape, createRng(1));
      expect((await judge(rivals[name], weights)).outcome).toBe("wrong");
    }
  });

  it.each(learners)("%s: after training all who take part hear it, and it hears nobody", async (name) => {
    for (const seed of [1, 2, 3]) {
      const { weights, utility } = await train(rivals[name], { seed });
      const record = await judge(rivals[name], weights);
      const [{ edges, participants }] = record.decisions;
      expect(record.outcome, `seed ${seed}`).toBe("right");
      expect(participants[expert]).toBe(1);
      expect(edges.filter(([, target]) => target === expert)).toEqual([]);
      const listeners = participants.flatMap((z, i) => (z === 1 && i !== expert ? [i] : []));
      expect(edges.map(([, target]) => target).sort()).toEqual(listeners);
      expect(edges.filter(([source]) => source === expert).length).toBeGreaterThanOrEqual(listeners.length - 1);
      expect(utility).toBeGreaterThan(0.8);
    }
  });

  it("node-dropout makes one call less in a round", async () => {
    const { weights } = await train(rivals["node-dropout"], { calls: 500 });
    expect((await judge(rivals["node-dropout"], weights)).calls).toBe(2 * shape.agents - 1);
  });
});

describe("a team in which it depends on the question who knows", () => {
  const birds = ["Which bird sings at night?", "Which bird builds no nest?", "Which bird cannot fly?"];
  const rocks = ["Which rock floats on water?", "Which rock comes from lava?", "Which rock is made of shells?"];
  const questions = questionsOf([...birds, ...rocks]);
  const population = oneKnows(({ text }) => (text.includes("bird") ? 2 : 3));
  const divided = propose(population);
  const fresh = questionsOf(["Which bird lives longest?", "Which rock is softest?"]);
  const scoreOf = async (rival: Rival, weights: Weights): Promise<string[]> =>
    Promise.all(fresh.map(async (question) => (await judge(rival, weights, question, divided)).outcome));

  it("query-graph asks the right one, on new questions too; static edges cannot", async () => {
    for (const seed of [1, 2, 3]) {
      const input = { environment: divided, questions: { train: questions, validation: [] }, seed, calls: 20_000 };
      const { weights } = await train(rivals["query-graph"], input);
      expect(await scoreOf(rivals["query-graph"], weights), `seed ${seed}`).toEqual(["right", "right"]);
      const fixed = await train(rivals["static-edges"], input);
      expect(await scoreOf(rivals["static-edges"], fixed.weights)).toContain("wrong");
    }
  });
});

describe("training a rival", () => {
  it.each(learners)(
    "%s: the same seed gives the same weights, whatever the concurrency; another seed others",
    async (name) => {
      const calls = 400;
      const [one, many, other] = [
        await train(rivals[name], { calls, concurrency: 1 }),
        await train(rivals[name], { calls, concurrency: 16 }),
        await train(rivals[name], { calls, seed: 2 }),
      ];
      expect(many).toEqual(one);
      expect(other.weights).not.toEqual(one.weights);
    },
  );

  it("stops with the update that reaches the budget of calls, and counts shared calls once", async () => {
    const spent: number[] = [];
    const result = await train(rivals["static-edges"], { calls: 700, onProgress: (calls) => spent.push(calls) });
    expect(result.calls).toBe(spent.at(-1));
    expect(result.calls).toBeGreaterThanOrEqual(700);
    expect(spent.at(-2)).toBeLessThan(700);
    const { starts, samples } = toySettings;
    expect(result.episodes).toBe(spent.length * starts * samples);
    // Round 1 is asked once a start, not once a sample.
    expect(result.calls).toBeLessThanOrEqual(spent.length * starts * shape.agents * (1 + samples));
    expect(result.calls).toBeGreaterThan(spent.length * starts * shape.agents);
  });

  it("plays the starts the credit policy is trained on, every one as often as there are samples", async () => {
    const played: string[] = [];
    const listening: Environment = {
      ...world,
      reset: (start) => {
        played.push([start.question.id, start.seed, start.sample, start.branch].join());
        return world.reset(start);
      },
    };
    await train(rivals["static-edges"], { environment: listening, calls: 300, seed: 7, concurrency: 1 });
    const { starts, samples } = toySettings;
    const steps = played.length / (starts * samples);
    expect(steps).toBeGreaterThan(1);
    const expected = Array.from({ length: steps }, (_, step) => trainingStarts(plainQuestions, toySettings, 7, step))
      .flat()
      .flatMap(({ question, seed, sample }) =>
        Array.from({ length: samples }, (_, branch) => [question.id, seed, sample, branch].join()),
      );
    expect(played).toEqual(expected);
  });

  it("moves nothing where the utility is always the same", async () => {
    const agreed = propose(scripted(() => says("A")));
    for (const name of learners) {
      const begun = rivals[name].begin(shape, createRng(1).fork("rival")).weights;
      expect((await train(rivals[name], { environment: agreed, calls: 300 })).weights).toEqual(begun);
    }
  });

  it("learns by plain REINFORCE without a baseline, too", async () => {
    const settings = { ...toySettings, ...plainReinforce };
    const { weights } = await train(rivals["static-edges"], { settings, calls: 30_000 });
    expect((await judge(rivals["static-edges"], weights)).outcome).toBe("right");
  });

  it("asks for fewer edges where edges cost more than they are worth", async () => {
    const agreed = propose(
      scripted(() => says("A")),
      { in: Infinity, out: Infinity, depth: Infinity },
    );
    const settings = { ...toySettings, cost: { weight: 0.1, per: "edges" as const } };
    const { weights } = await train(rivals["static-edges"], { environment: agreed, settings, calls: 20_000 });
    const record = await judge(rivals["static-edges"], weights, plainQuestions[0], agreed);
    expect(record.decisions[0].edges).toEqual([]);
  });

  it("keeps the weights that did best in validation, those before training among them", async () => {
    // On this question whoever listens to the expert is led astray.
    const validation = questionsOf(["Which of them?"]).map((question) => ({ ...question, id: "other" }));
    const contrary = propose(
      scripted((agent, { question, heard }) => {
        const listens = agent === expert || heard[0]?.from === expert;
        const isRight = question.id === "other" ? !listens : listens || heard[0]?.utterance.answer === "A";
        return says(isRight ? "A" : "B");
      }),
    );
    const begun = rivals["static-edges"].begin(shape, createRng(1).fork("rival")).weights;
    const input = { environment: contrary, calls: 8000 };
    const trained = await train(rivals["static-edges"], input);
    const chosen = await train(rivals["static-edges"], { ...input, questions: { train: plainQuestions, validation } });
    expect(trained.weights).not.toEqual(begun);
    expect(chosen.weights).toEqual(begun);
    expect(chosen.calls).toBe(trained.calls);
  });

  it("leaves failed episodes out, and refuses to go on where all fail", async () => {
    const hangsUp = (fails: (question: Question) => boolean): Environment =>
      propose(
        scripted((agent, { question, heard }) => {
          if (fails(question)) throw new Error("the line is dead");
          return says(agent === expert || heard[0]?.utterance.answer === "A" ? "A" : "B");
        }),
      );
    const some = await train(rivals["static-edges"], {
      environment: hangsUp(({ id }) => id === "q1"),
      calls: 2000,
    });
    expect(some.weights.spatial.data.every(Number.isFinite)).toBe(true);
    await expect(train(rivals["static-edges"], { environment: hangsUp(() => true) })).rejects.toMatchObject({
      code: "train/failed",
      endsRun: true,
    });
  });

  it("plays nothing for a rival that learns nothing", async () => {
    const { learn: _, ...unlearning } = rivals["static-edges"];
    const silent: Environment = { ...world, reset: () => Promise.reject(new Error("somebody played")) };
    const result = await train(unlearning, { environment: silent });
    expect(result).toMatchObject({ calls: 0, episodes: 0, utility: 0 });
    expect(result.weights).toEqual(unlearning.begin(shape, createRng(1).fork("rival")).weights);
  });

  it("stops between two updates when its signal is aborted", async () => {
    const controller = new AbortController();
    const spent: number[] = [];
    const onProgress = (calls: number) => {
      spent.push(calls);
      if (spent.length === 2) controller.abort();
    };
    await expect(train(rivals["static-edges"], { signal: controller.signal, onProgress })).rejects.toMatchObject({
      code: "llm/cancelled",
    });
    expect(spent.length).toBe(2);
  });
});
