import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRng } from "../src/base/rng.ts";
import { mean, sum } from "../src/base/stats.ts";
import type { Embedding } from "../src/contracts/agent.ts";
import type { Environment } from "../src/contracts/environment.ts";
import type { Observation, Weights } from "../src/contracts/policy.ts";
import type { Population } from "../src/contracts/population.ts";
import type { EpisodeRecord } from "../src/contracts/trace.ts";
import { type DeliberationSettings, runEpisode } from "../src/environments/index.ts";
import { credibility } from "../src/rivals/credibility.ts";
import { detector, grid, leaveOut, scoreBehaviour } from "../src/rivals/detector.ts";
import { dylan, type Layer, scoreImportance } from "../src/rivals/dylan.ts";
import type { PlayedEpisode, Rival } from "../src/rivals/rival.ts";
import { topologies } from "../src/topology/index.ts";
import { playRollouts } from "../src/train/rollout.ts";
import { errorOf } from "./support/error-of.ts";
import { choice, deliberate, says, scripted, sources, startOf } from "./support/worlds.ts";

const unlimited = { in: Infinity, out: Infinity, depth: Infinity };
const calm = { kind: "collude", adversaries: 0, onset: "first" };

/** What `strategies` say of each rival: no graph but layers, no graph at all, a complete debate. */
const layers: Partial<DeliberationSettings> = {
  topology: topologies.none.draw,
  budget: () => ({ ...unlimited, temporal: Infinity }),
  vote: "majority",
  voters: "participants",
};
const alone: Partial<DeliberationSettings> = { topology: topologies.none.draw, vote: "credit", voters: "participants" };
const debate: Partial<DeliberationSettings> = {
  topology: topologies.complete.draw,
  budget: () => unlimited,
  vote: "majority",
  voters: "participants",
};

const shapeOf = ({ spec }: Environment) => ({ agents: spec.agents, rounds: spec.maxDecisions });
const freshWeights = (rival: Rival, world: Environment): Weights =>
  rival.begin(shapeOf(world), createRng("rival")).weights;
const policyOf = (rival: Rival, world: Environment, weights = freshWeights(rival, world)) =>
  rival.policy(weights, shapeOf(world), "threshold");

/** Episodes of a rival on simulated questions, under attacks of two to four adversaries. */
async function playSimulated(rival: Rival, changes: Partial<DeliberationSettings>): Promise<EpisodeRecord[]> {
  const source = sources.simulated();
  const world = deliberate(source, changes);
  return Promise.all(
    source.questions.map((question, q) =>
      runEpisode(
        world,
        policyOf(rival, world),
        startOf(question, { attack: { kind: "collude", adversaries: q % 5, onset: "uniform" } }),
      ),
    ),
  );
}

const layer = (answers: string, speakers = answers.replace(/./g, "1")): Layer => ({
  speakersN: Uint8Array.from(speakers, Number),
  answersN: [...answers].map((answer) => (answer === "-" ? null : answer)),
});

describe("dylan: the importance of agents", () => {
  it("flows back along ratings from those who gave the answer, and is added up", () => {
    // Last layer: the answer is A, given by 0 and 1. Agent 0 agrees with nobody it heard, 1 with 0, 2 with 1.
    expect([...scoreImportance([layer("ABB"), layer("AAB")])]).toEqual([0.5 + 0.5, 0.5 + 0.25, 0 + 0.25]);
    expect([...scoreImportance([layer("AAB-")])]).toEqual([0.5, 0.5, 0, 0]);
  });

  it("is one whole in every layer, however ratings fall", () => {
    const answers = fc.string({ unit: fc.constantFrom("A", "B", "C", "-"), minLength: 4, maxLength: 4 });
    fc.assert(
      fc.property(fc.array(answers, { minLength: 1, maxLength: 5 }), (rounds) => {
        const importanceN = scoreImportance(rounds.map((round) => layer(round)));
        expect(sum(importanceN)).toBeCloseTo(rounds.length, 10);
        expect(importanceN.every((importance) => importance >= 0)).toBe(true);
      }),
    );
  });

  it("goes to nobody who was out, and from nobody", () => {
    const [first, second] = [layer("ABAA"), layer("BBAA", "1101")];
    expect(scoreImportance([first, second])[2]).toBe(0);
    expect(scoreImportance([first, { ...second, answersN: ["B", "B", "C", "A"] }])).toEqual(
      scoreImportance([first, second]),
    );
  });
});

describe("dylan", () => {
  const rounds = 6;

  it("lets all who are in hear each other through time, drops one a round from round 3 on, and keeps two", async () => {
    const records = await playSimulated(dylan, { ...layers, rounds });
    let most = 0;
    for (const { decisions } of records) {
      let inside = 6;
      let before = new Array<number>(6).fill(1);
      for (const { round, participants, edges, temporal = [] } of decisions.slice(0, -1)) {
        if (!participants.includes(1)) break;
        const count = sum(participants);
        expect(count).toBe(round > 2 ? Math.max(2, inside - 1) : inside);
        participants.forEach((z, i) => {
          expect(z).toBeLessThanOrEqual(before[i]);
        });
        expect(edges).toEqual([]);
        expect(temporal.length).toBe(count * (count - 1));
        most = Math.max(most, 6 - count);
        inside = count;
        before = participants.slice();
      }
      // The vote is of those who were in at the end.
      expect(decisions.at(-1)!.participants).toEqual(before);
    }
    expect(most).toBeGreaterThan(1);
  });

  it("ends once more than two thirds agree: no calls from then on, and their answer stands", async () => {
    const early = (agreeing: number): Population =>
      scripted((agent, { own }) => says(own?.answer ?? (agent < agreeing ? "A" : `${agent}`)));
    const play = async (agreeing: number) => {
      const world = deliberate({ population: early(agreeing), embedder: null }, { ...layers, embedding: 0 });
      return runEpisode(world, policyOf(dylan, world), startOf(choice, { attack: calm }));
    };
    expect(await play(5)).toMatchObject({ calls: 6, answer: "A" });
    // Four of six are two thirds, not more; without the least important one they are four of five.
    expect(await play(4)).toMatchObject({ calls: 6 + 6 + 5, answer: "A" });
  });

  it.each([
    // The answer is A, the first of the two given most often: it owes nothing to 1, 2, 4 and 5.
    ["ABCABD", ["111111", "111110", "111100", "110100", "100100", "000000", "000000"]],
    // Nobody agrees with anybody; two stay whatever happens.
    ["ABCDEF", ["111111", "111110", "111100", "111000", "110000", "110000", "110000"]],
  ])("drops whom the answer owes least, the higher index where several are alike (%s)", async (answers, expected) => {
    const world = scriptedWorld([...answers], { ...layers, rounds: 8 });
    const { decisions } = await runEpisode(world, policyOf(dylan, world), startOf(choice, { attack: calm }));
    expect(decisions.slice(0, -1).map(({ participants }) => participants.join(""))).toEqual(expected);
  });

  it("learns nothing and has no use for chance", () => {
    expect(dylan.learn).toBeUndefined();
    expect(dylan.begin({ agents: 6, rounds: 3 }, createRng(1)).weights).toEqual({});
  });
});

/** A world in which agents say what is written, round after round (the last one from then on). */
function scriptedWorld(lines: readonly string[], changes: Partial<DeliberationSettings>): Environment {
  const population = scripted((agent, { round }) => says(lines[agent][Math.min(round, lines[agent].length) - 1]));
  return deliberate({ population, embedder: null }, { agents: lines.length, embedding: 0, ...changes });
}

/** Episodes as a trainer hands them over, with the reward itself as advantage. */
async function playForTraining(rival: Rival, world: Environment, weights: Weights, count: number) {
  const starts = Array.from({ length: count }, (_, sample) => startOf(choice, { sample, attack: calm }));
  const policy = rival.policy(weights, shapeOf(world), "sampled");
  const rollouts = await playRollouts(world, policy, starts, 1, 4);
  return rollouts.map(({ decisions, record }): PlayedEpisode => ({ decisions, record, advantage: record.utility }));
}

describe("credibility", () => {
  it("lets everyone speak in every round and hear nobody", async () => {
    for (const { decisions, calls } of await playSimulated(credibility, alone)) {
      expect(calls).toBe(18);
      for (const { participants, edges, credits } of decisions) {
        expect(participants).toEqual(new Array(6).fill(1));
        expect(edges).toEqual([]);
        expect(credits.every((credit) => Math.abs(credit) <= 6)).toBe(true);
      }
    }
  });

  it("trusts who stands with the most trusted answer, less who does not, least who turned away", async () => {
    const world = scriptedWorld(["A", "A", "A", "B", "AAB"], alone);
    const { decisions } = await runEpisode(world, policyOf(credibility, world), startOf(choice, { attack: calm }));
    const [one, , , other, turned] = decisions.at(-1)!.credits;
    expect([one, other, turned]).toEqual([1.5, -1.5, 1 - 0.5 - 1]);
    expect(turned).toBeLessThan(one);
  });

  it("learns from the reward alone to follow a minority that is right", async () => {
    const world = scriptedWorld(["A", "A", "B", "B", "B"], alone);
    const before = freshWeights(credibility, world);
    const [first] = await playForTraining(credibility, world, before, 1);
    expect(first.record).toMatchObject({ answer: "B", utility: 0 });
    let state = { weights: before };
    for (let update = 0; update < 8; update++)
      state = credibility.learn!(state, await playForTraining(credibility, world, state.weights, 8), shapeOf(world));
    const [last] = await playForTraining(credibility, world, state.weights, 1);
    expect(last.record).toMatchObject({ answer: "A", utility: 1 });
    const { right, known } = state.weights;
    const trust = Array.from(right.data, (sum, i) => (sum + 2) / (known.data[i] + 4));
    expect(Math.min(trust[0], trust[1])).toBeGreaterThan(0.5);
    expect(Math.max(trust[2], trust[3], trust[4])).toBeLessThan(0.5);
  });

  it("takes from a lost answer nothing about those who gave another, and counts the unreadable as wrong", async () => {
    const world = deliberate(
      { population: scripted((agent) => says(["B", "B", "C", null][agent])), embedder: null },
      { ...alone, agents: 4, embedding: 0 },
    );
    const state = { weights: freshWeights(credibility, world) };
    const [lost] = await playForTraining(credibility, world, state.weights, 1);
    const talliesOf = (episode: PlayedEpisode) => {
      const { right, known } = credibility.learn!(state, [episode], shapeOf(world)).weights;
      return { right: [...right.data], known: [...known.data] };
    };
    expect(talliesOf(lost)).toEqual({ right: [0, 0, 0, 0], known: [1, 1, 0, 1] });
    const won = { ...lost, record: { ...lost.record, utility: 1 } };
    expect(talliesOf(won)).toEqual({ right: [1, 1, 0, 0], known: [1, 1, 1, 1] });
    const half = { ...lost, record: { ...lost.record, utility: 0.5 } };
    expect(talliesOf(half)).toEqual({ right: [0.5, 0.5, 0, 0], known: [1, 1, 0.5, 1] });
  });
});

const dense = (...values: number[]): Embedding => ({ dimension: values.length, values: Float32Array.from(values) });

const seen = (embeddingsN: readonly (Embedding | null)[]): Observation => ({
  agents: embeddingsN.length,
  round: 2,
  head: "communicate",
  scalarsNS: new Float32Array(0),
  embeddingsN,
  eligibleN: new Uint8Array(embeddingsN.length).fill(1),
  forcedN: new Uint8Array(embeddingsN.length),
});
const leftOut = (observation: Observation, τ: number): number[] =>
  [...leaveOut(scoreBehaviour(observation), observation, τ).entries()].filter(([, z]) => z === 0).map(([i]) => i);

describe("detector", () => {
  const team = [dense(1, 0, 0.1), dense(1, 0.1, 0), dense(0, 0, 1), dense(1, -0.1, 0), dense(1, 0, -0.1)];

  it("leaves out whose embedding lies apart, and nobody at an infinite τ", () => {
    expect(leftOut(seen(team), 1.5)).toEqual([2]);
    expect(leftOut(seen(team), Infinity)).toEqual([]);
    expect(leftOut(seen(team.map(() => team[0])), 0)).toEqual([]);
  });

  it("never leaves out more than half of the team, nor anyone without an embedding", () => {
    const embedding = fc.option(fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 3, maxLength: 3 }));
    fc.assert(
      fc.property(fc.array(embedding, { minLength: 1, maxLength: 9 }), fc.constantFrom(...grid), (rows, τ) => {
        const observation = seen(rows.map((row) => row && dense(...row)));
        const out = leftOut(observation, τ);
        expect(out.length).toBeLessThanOrEqual(rows.length / 2);
        for (const i of out) expect(rows[i]).not.toBeNull();
      }),
    );
  });

  it("scores nobody where fewer than three can be compared", () => {
    expect([...scoreBehaviour(seen([team[0], team[2], null, null]))]).toEqual([0, 0, 0, 0]);
  });

  it("takes away voices in the rounds and in the vote alike", async () => {
    const records = await playSimulated(
      { ...detector, policy: (weights, shape) => detector.policy(weights, shape, "sampled") },
      debate,
    );
    const counts = records.flatMap(({ decisions }) => decisions.map(({ participants }) => sum(participants)));
    expect(Math.min(...counts)).toBeLessThan(6);
    expect(Math.min(...counts)).toBeGreaterThanOrEqual(3);
    expect(Math.min(...records.map(({ decisions }) => sum(decisions.at(-1)!.participants)))).toBeLessThan(6);
  });

  /** Two of five lie apart and, with a third who speaks like the others, outvote the two who are right. */
  const apart = deliberate(
    {
      population: scripted((agent) =>
        says("AABBB"[agent], "", {
          embedding: [team[0], team[1], team[3], dense(0, 1, 1), dense(0, 1, 1)][agent],
        }),
      ),
      embedder: null,
    },
    { ...debate, agents: 5, embedding: 3 },
  );

  it("finds by reward how far is too far, without a label", async () => {
    const before = freshWeights(detector, apart);
    const play = async (weights: Weights) =>
      runEpisode(apart, policyOf(detector, apart, weights), startOf(choice, { attack: calm }));
    expect(await play(before)).toMatchObject({ answer: "B", utility: 0 });
    const episodes = await playForTraining(detector, apart, before, 200);
    const { weights } = detector.learn!({ weights: before }, episodes, shapeOf(apart));
    expect(await play(weights)).toMatchObject({ answer: "A", utility: 1 });
    expect(sum(weights["played"].data)).toBeCloseTo(200, 3);
  });

  it("credits every τ as if it had been told which was drawn", async () => {
    const episodes = await playForTraining(detector, apart, freshWeights(detector, apart), 2000);
    const { weights } = detector.learn!({ weights: freshWeights(detector, apart) }, episodes, shapeOf(apart));
    const rateOf = (k: number) => weights["gain"].data[k] / weights["played"].data[k];
    // What each τ earns in this world, where nothing but τ varies.
    for (const [k, τ] of grid.entries()) {
      const observation = episodes[0].decisions.at(-1)!.observation;
      const voters = leaveOut(scoreBehaviour(observation), observation, τ);
      const right = mean(["A", "A", "B", "B", "B"].flatMap((answer, i) => (voters[i] ? [answer === "A" ? 1 : 0] : [])));
      expect(rateOf(k)).toBeCloseTo(right > 0.5 ? 1 : 0, 5);
      // Drawn equally often: five standard errors of 2,000 draws are 90.
      expect(Math.abs(weights["played"].data[k] - 400)).toBeLessThan(90);
    }
  });
});

describe("rivals that read answers", () => {
  it.each([dylan, credibility])("say so where a world tells none", (rival) => {
    const world = scriptedWorld(["A", "B"], alone);
    const session = policyOf(rival, world).begin({ agents: 2, rng: createRng(1) });
    expect(errorOf(() => session.act(seen([null, null]))).code).toBe("rival/said");
  });
});
