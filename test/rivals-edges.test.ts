import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRng, type Rng } from "../src/base/rng.ts";
import type { Action, Observation, Weights } from "../src/contracts/policy.ts";
import type { EpisodeRecord } from "../src/contracts/trace.ts";
import {
  drawEdges,
  type EdgeLogits,
  likelyEdges,
  listPairs,
  logProbabilityOf,
  rankPairs,
  scoreOf,
} from "../src/rivals/edge-draws.ts";
import { lossGradients } from "../src/rivals/edge-learner.ts";
import { type PlayedEpisode, type Rival, rivals } from "../src/rivals/index.ts";
import { queryModel } from "../src/rivals/query-graph.ts";
import { errorOf } from "./support/error-of.ts";

const shape = { agents: 4, rounds: 3 };

const seen = (round: number, changes: Partial<Observation> = {}): Observation => ({
  agents: shape.agents,
  round,
  head: round > shape.rounds ? "decide" : "communicate",
  scalarsNS: new Float32Array(0),
  embeddingsN: new Array(shape.agents).fill(null),
  eligibleN: new Uint8Array(shape.agents).fill(1),
  forcedN: new Uint8Array(shape.agents),
  said: {
    query: "Which bird sings at night?",
    rolesN: ["expert in birds", "critic", "critic", "doctor"],
    answersN: new Array(shape.agents).fill("A"),
    previousAnswersN: new Array(shape.agents).fill(null),
  },
  ...changes,
});

const learners = {
  "static-edges": rivals["static-edges"],
  "static-edges/pruned": rivals["static-edges/pruned"],
  "node-dropout": rivals["node-dropout"],
  "query-graph": rivals["query-graph"],
} satisfies Record<string, Rival>;
const eachLearner = Object.entries(learners);

/** One decision of a fresh session. */
const actOnce = (
  rival: Rival,
  weights: Weights,
  observation: Observation,
  rng: Rng,
  participation: "sampled" | "threshold" = "sampled",
): Action => rival.policy(weights, shape, participation).begin({ agents: shape.agents, rng }).act(observation);

/** Weights with something of everything in them. */
const scattered = (weights: Weights, size: number): Weights => {
  const rng = createRng("scattered");
  return Object.fromEntries(
    Object.entries(weights).map(([name, { shape: s, data }]) => [
      name,
      { shape: s, data: data.map(() => size * rng.normal()) },
    ]),
  );
};

const begun = (rival: Rival): Weights => rival.begin(shape, createRng(1)).weights;

const unread: EpisodeRecord = {
  environment: "none",
  question: "q",
  seed: 1,
  sample: 0,
  attack: { kind: "collude", adversaries: 0, onset: "first" },
  onsets: [],
  target: null,
  rounds: [],
  decisions: [],
  answer: null,
  gold: "A",
  utility: 0,
  outcome: "wrong",
  calls: 0,
  tokens: null,
};

/** An episode of all three decisions, drawn by the rival itself. */
function played(rival: Rival, weights: Weights, seed: number, advantage: number): PlayedEpisode {
  const session = rival.policy(weights, shape, "sampled").begin({ agents: shape.agents, rng: createRng(seed) });
  const decisions = [2, 3, 4].map((round) => {
    const observation = seen(round);
    return { observation, action: session.act(observation) };
  });
  return { decisions, record: unread, advantage };
}

describe("drawing edges", () => {
  const logits = fc.array(fc.double({ min: -8, max: 8, noNaN: true }), { minLength: 16, maxLength: 16 });

  it("draws every pair as often as its logit says, independently of its index", () => {
    const rng = createRng(5);
    const draws = 4000;
    const count = new Float64Array(16);
    const logitsNN = Array.from({ length: 16 }, (_, p) => (p % 3) - 1);
    for (let d = 0; d < draws; d++) for (const [i, j] of drawEdges(logitsNN, 4, rng)) count[i * 4 + j]++;
    for (const [i, j] of listPairs(4)) {
      const p = 1 / (1 + Math.exp(-logitsNN[i * 4 + j]));
      expect(Math.abs(count[i * 4 + j] / draws - p)).toBeLessThan(4 * Math.sqrt((p * (1 - p)) / draws));
    }
    expect(count[0] + count[5] + count[10] + count[15]).toBe(0);
  });

  it("favours no agent at logits 0: each pair is as often the first as any other", () => {
    const rng = createRng(6);
    const draws = 12_000;
    const first = new Map<string, number>();
    for (let d = 0; d < draws; d++) {
      const [edge] = drawEdges(new Float32Array(16), 4, rng);
      if (edge !== undefined) first.set(edge.join(), (first.get(edge.join()) ?? 0) + 1);
    }
    expect(first.size).toBe(12);
    for (const count of first.values()) expect(Math.abs(count - draws / 12)).toBeLessThan(4 * Math.sqrt(draws / 12));
  });

  it("counts every pair, drawn or not: the probabilities of all 64 draws of three agents add up to 1", () => {
    fc.assert(
      fc.property(logits, (all) => {
        const logitsNN = all.slice(0, 9);
        const pairs = listPairs(3);
        let total = 0;
        for (let bits = 0; bits < 64; bits++) {
          const edges = pairs.filter((_, k) => (bits >> k) & 1);
          total += Math.exp(logProbabilityOf(logitsNN, 3, edges));
        }
        expect(total).toBeCloseTo(1, 9);
      }),
    );
  });

  it("has a score that is the slope of log π at every logit", () => {
    fc.assert(
      fc.property(logits, fc.integer(), (logitsNN, seed) => {
        const edges = drawEdges(logitsNN, 4, createRng(seed));
        const score = scoreOf(logitsNN, 4, edges, 2);
        const step = 1e-5;
        logitsNN.forEach((logit, place) => {
          const at = (value: number) => logProbabilityOf(logitsNN.with(place, value), 4, edges);
          expect(score[place]).toBeCloseTo((2 * (at(logit + step) - at(logit - step))) / (2 * step), 5);
        });
      }),
      { numRuns: 30 },
    );
  });

  it("without chance takes the pairs with p ≥ ½, the most likely first, ties by index", () => {
    const logitsNN = [9, 0, 2, -1, 9, 2, 0, -0.1, 9];
    expect(likelyEdges(logitsNN, 3)).toEqual([
      [0, 2],
      [1, 2],
      [0, 1],
      [2, 0],
    ]);
  });
});

describe.each(eachLearner)("%s", (_name, rival) => {
  const weights = scattered(begun(rival), 0.7);

  it("draws nothing without chance: an rng that fails when touched is never touched", () => {
    const broken = new Proxy({} as Rng, {
      get: () => {
        throw new Error("something was drawn");
      },
    });
    for (const round of [2, 3, 4]) {
      const twice = [1, 2].map(() => actOnce(rival, weights, seen(round), broken, "threshold"));
      expect(twice[0]).toEqual(twice[1]);
      expect(twice[0].logProbability).toBeUndefined();
    }
    expect(() => actOnce(rival, weights, seen(2), broken)).toThrow("something was drawn");
  });

  it("draws the same edges from the same stream, other edges in other rounds and streams", () => {
    const edgesOf = (round: number, seed: number) =>
      actOnce(rival, begun(rival), seen(round), createRng(seed)).proposal?.edges.join(" ");
    expect(edgesOf(2, 1)).toBe(edgesOf(2, 1));
    expect(new Set([edgesOf(2, 1), edgesOf(3, 1), edgesOf(2, 2), edgesOf(3, 2)]).size).toBe(4);
  });

  it("lets everyone take part while it learns, with credits 0, and in the vote", () => {
    for (const round of [2, 3, 4]) {
      const action = actOnce(rival, weights, seen(round), createRng(1));
      expect(Array.from(action.participantsN)).toEqual([1, 1, 1, 1]);
      expect(Array.from(action.creditsN)).toEqual([0, 0, 0, 0]);
      expect(action.proposal === undefined).toBe(round === 4);
    }
    expect(Array.from(actOnce(rival, weights, seen(4), createRng(1), "threshold").participantsN)).toEqual([1, 1, 1, 1]);
  });

  it("tells a log-probability of all pairs, those through time included, whatever the graph rule will do", () => {
    const observation = seen(2);
    const { proposal, logProbability } = actOnce(rival, weights, observation, createRng(3));
    const { spatialNN, temporalNN } = logitsOf(rival, weights, observation);
    const temporal = temporalNN === undefined ? 0 : logProbabilityOf(temporalNN, 4, proposal!.temporal!);
    expect(logProbability).toBeCloseTo(logProbabilityOf(spatialNN, 4, proposal!.edges) + temporal, 9);
  });

  it("learns all of its weights, one step of Adam a batch, and says the same for the same batch", () => {
    const state = { weights };
    const batch = [played(rival, weights, 1, 0.5), played(rival, weights, 2, -0.25)];
    const [one, two] = [rival.learn!(state, batch, shape), rival.learn!(state, batch, shape)];
    expect(one).toEqual(two);
    for (const [name, { data }] of Object.entries(one.weights)) {
      // A share that validation chooses is not learned.
      if (name === "keep") continue;
      const moved = data.filter((value, k) => value !== weights[name].data[k]).length;
      expect(moved, name).toBeGreaterThan(0);
      if (name === "agent" || name === "pair" || name === "bias") expect(moved).toBe(data.length);
      // All but the diagonals.
      if (name === "spatial" || name === "temporal") expect(moved).toBe((data.length / 16) * 12);
    }
  });

  it("does not move for a batch that has no advantage, even with momentum", () => {
    const once = rival.learn!(rival.begin(shape, createRng(1)), [played(rival, begun(rival), 1, 1)], shape);
    expect(rival.learn!(once, [played(rival, once.weights, 2, 0)], shape)).toEqual(once);
  });

  it("makes a draw with an advantage more likely, and one with a disadvantage less", () => {
    for (const advantage of [1, -1]) {
      const start = rival.begin(shape, createRng(1));
      const episode = played(rival, start.weights, 4, advantage);
      const { weights: after } = rival.learn!(start, [episode], shape);
      const { observation, action } = episode.decisions[0];
      const chance = (w: Weights) =>
        logProbabilityOf(logitsOf(rival, w, observation).spatialNN, shape.agents, action.proposal!.edges);
      expect(Math.sign(chance(after) - chance(start.weights))).toBe(advantage);
    }
  });

  it("refuses a team of another size in words", () => {
    const larger = seen(2, { agents: 5, eligibleN: new Uint8Array(5).fill(1) });
    expect(errorOf(() => actOnce(rival, weights, larger, createRng(1))).code).toBe("rival/agents");
  });
});

/** Logits for round 2. */
const logitsOf = (rival: Rival, weights: Weights, observation: Observation): EdgeLogits =>
  rival === rivals["query-graph"]
    ? queryModel.logits(weights, observation)
    : { spatialNN: weights.spatial.data.subarray(0, 16), temporalNN: weights.temporal.data.subarray(0, 16) };

/** Tables with the logits given for 4 agents, the same for time and space and every round. */
const tables = (rival: Rival, logitOf: (i: number, j: number) => number): Weights =>
  Object.fromEntries(
    Object.entries(begun(rival)).map(([name, { shape: s, data }]) => [
      name,
      { shape: s, data: data.map((_, k) => logitOf(Math.floor((k % 16) / 4), k % 4)) },
    ]),
  );

describe("static-edges/pruned", () => {
  const rival = rivals["static-edges/pruned"];
  const keeping = (share: number, weights: Weights): Weights => ({
    ...weights,
    keep: { shape: [1], data: Float32Array.of(share) },
  });

  it("proposes the share of all pairs that it keeps, the strongest, whatever their probability", () => {
    const all = tables(rivals["static-edges"], (i, j) => i * 4 + j - 20);
    for (const [share, count] of [
      [0, 0],
      [0.25, 3],
      [0.5, 6],
    ]) {
      const { proposal } = actOnce(rival, keeping(share, all), seen(2), createRng(1), "threshold");
      expect(proposal!.edges).toEqual(rankPairs(all.spatial.data, 4).slice(0, count));
    }
  });

  it("lets validation choose among shares from none to half, and learns as static-edges does", () => {
    const weights = begun(rival);
    const shares = rival.candidates!(weights).map(({ keep }) => keep.data[0]);
    expect([Math.max(...shares), Math.min(...shares)]).toEqual([0.5, 0]);
    const { keep: _, ...tables } = weights;
    expect(tables).toEqual(begun(rivals["static-edges"]));
  });
});

describe("node-dropout", () => {
  const rival = rivals["node-dropout"];

  it("leaves out the agent of the lowest weighted degree, with all its edges", () => {
    const weights = tables(rival, (i, j) => (i === 1 || j === 1 ? 0.1 : 2));
    const { participantsN, proposal } = actOnce(rival, weights, seen(2), createRng(1), "threshold");
    expect(Array.from(participantsN)).toEqual([1, 0, 1, 1]);
    expect(proposal!.edges.length).toBe(6);
    expect([...proposal!.edges, ...proposal!.temporal!].flat()).not.toContain(1);
  });

  it("drops the agent of the higher index among equals", () => {
    const { participantsN } = actOnce(rival, begun(rival), seen(2), createRng(1), "threshold");
    expect(Array.from(participantsN)).toEqual([1, 1, 1, 0]);
  });

  it("drops another agent in another round where its tables differ", () => {
    const weights = begun(rival);
    const spatial = weights.spatial.data.slice();
    // Round 2 knows nothing of agent 0, round 3 nothing of agent 2.
    for (const [i, j] of listPairs(4)) {
      if (i === 0 || j === 0) spatial[i * 4 + j] = -3;
      if (i === 2 || j === 2) spatial[16 + i * 4 + j] = -3;
    }
    const learned = { ...weights, spatial: { ...weights.spatial, data: spatial } };
    const present = [2, 3].map((round) =>
      Array.from(actOnce(rival, learned, seen(round), createRng(1), "threshold").participantsN),
    );
    expect(present).toEqual([
      [0, 1, 1, 1],
      [1, 1, 0, 1],
    ]);
  });

  it("never drops the only agent there is", () => {
    const alone = { agents: 1, rounds: 2 };
    const { weights } = rival.begin(alone, createRng(1));
    const observation = seen(2, { agents: 1, eligibleN: Uint8Array.of(1) });
    const session = rival.policy(weights, alone, "threshold").begin({ agents: 1, rng: createRng(1) });
    expect(Array.from(session.act(observation).participantsN)).toEqual([1]);
  });
});

describe("query-graph", () => {
  const rival = rivals["query-graph"];

  it("has gradients that agree with finite differences for every kind of weight", () => {
    const weights = scattered(begun(rival), 0.4);
    const batch = [played(rival, weights, 1, 0.7), played(rival, weights, 2, -0.4)];
    const lossAt = (w: Weights): number => {
      const terms = batch.flatMap(({ decisions, advantage }) =>
        decisions
          .filter(({ action }) => action.proposal !== undefined)
          .map(({ observation, action }) => {
            const { spatialNN } = queryModel.logits(w, observation);
            return advantage * logProbabilityOf(spatialNN, shape.agents, action.proposal!.edges);
          }),
      );
      return -terms.reduce((a, b) => a + b, 0) / batch.length;
    };
    const gradients = lossGradients(queryModel, weights, batch);
    const rng = createRng("places");
    for (const [name, { shape: s, data }] of Object.entries(weights)) {
      // Most hashed places are empty: look at those that matter, and at some that do not.
      const used = Array.from(data.keys()).filter((k) => gradients[name].data[k] !== 0);
      for (const k of [...rng.shuffle(used).slice(0, 12), rng.integer(data.length)]) {
        const at = (value: number): [number, number] => {
          const changed = { shape: s, data: data.with(k, value) };
          return [changed.data[k], lossAt({ ...weights, [name]: changed })];
        };
        const [low, below] = at(data[k] - 1e-2);
        const [high, above] = at(data[k] + 1e-2);
        expect(gradients[name].data[k], `${name}[${k}]`).toBeCloseTo((above - below) / (high - low), 3);
      }
    }
  });

  it("tells agents of equal roles apart by their number, and the two directions of a pair", () => {
    const weights = scattered(begun(rival), 0.7);
    const said = { ...seen(2).said!, rolesN: new Array(4).fill("speaker") };
    const { spatialNN } = queryModel.logits(weights, seen(2, { said }));
    const all = listPairs(4).map(([i, j]) => spatialNN[i * 4 + j]);
    expect(new Set(all).size).toBe(12);
  });

  it("asks for other edges for another question", () => {
    const weights = scattered(begun(rival), 0.7);
    const edgesFor = (query: string) =>
      actOnce(rival, weights, seen(2, { said: { ...seen(2).said!, query } }), createRng(1), "threshold").proposal!
        .edges;
    expect(edgesFor("Which bird sings at night?")).not.toEqual(edgesFor("How hard is granite compared with marble?"));
  });

  it("says what is missing where a world tells it no words", () => {
    const mute = seen(2, { said: undefined });
    expect(errorOf(() => actOnce(rival, begun(rival), mute, createRng(1))).code).toBe("rival/said");
  });
});
