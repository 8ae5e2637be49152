import type * as tfjs from "@tensorflow/tfjs";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { checkRecipe, openWorld } from "../src/assemble/index.ts";
import { createRng } from "../src/base/rng.ts";
import { mean, sum, variance } from "../src/base/stats.ts";
import type { NetworkConfig, Policy, Weights } from "../src/contracts/policy.ts";
import type { EpisodeRecord, UtteranceRecord } from "../src/contracts/trace.ts";
import { type CreditNetwork, lossGradients, networks, openBackend, type TensorFlow } from "../src/nets/index.ts";
import { initialWeights } from "../src/nets/initial-weights.ts";
import { createForward } from "../src/runtime/forward.ts";
import { networkPolicy } from "../src/runtime/network-policy.ts";
import { type BaselineMemory, computeAdvantages, emptyMemory } from "../src/train/baseline.ts";
import { type Batch, packBatch, type Rollout } from "../src/train/batch.ts";
import { decisionLoss } from "../src/train/decision-loss.ts";
import { deliberationReading } from "../src/train/deliberation-reading.ts";
import { clippedLoss, meanEntropy, reinforceLoss, spokenCredits } from "../src/train/reinforce.ts";
import { playRollouts } from "../src/train/rollout.ts";
import type { BaselineKind } from "../src/train/settings.ts";
import { countSharedCalls } from "../src/train/shared-calls.ts";
import { countZeroSignalGroups, findCollapse, hasSignal, sampledEntropy } from "../src/train/signal.ts";
import { softVotes } from "../src/train/soft-vote.ts";
import { trainingStarts } from "../src/train/starts.ts";
import { type BatchTensors, toTensors } from "../src/train/tensors.ts";
import { checkParity } from "../src/train/update.ts";
import { gameQuestions, gameStarts, gameWorld } from "./support/game-world.ts";
import { asGame, enumerateDraws, exactGradient, tableGame, tablePolicy, writeHistory } from "./support/table-game.ts";

let tf: TensorFlow;
beforeAll(async () => {
  tf = (await openBackend("cpu")).tf;
});

const { fromWeights, forward, dispose } = networks["credit-gru"];
const share = fc.double({ min: 0, max: 1, noNaN: true });
const shares = (length: number) => fc.array(share, { minLength: length, maxLength: length });
/** The groups of `episodes` episodes, K runs of each start. */
const groupsOf = (episodes: number, K: number): number[] =>
  Array.from({ length: episodes }, (_, e) => Math.floor(e / K));
const names = (count: number): string[] => gameQuestions(count).map(({ id }) => id);
/** A memory as it is after some updates; a fresh one each time, so that it stays as it is. */
const frozenMemory = (): BaselineMemory => ({ mean: 0.37, count: 40, questions: { q0: [3, 4], q1: [1, 9] } });

describe("a baseline", () => {
  const kinds: readonly BaselineKind[] = ["none", "moving-mean", "question-mean", "leave-one-out"];

  it("never looks at the utility of the episode it is subtracted from", () => {
    const groups = groupsOf(9, 3);
    const questions = groups.map((group) => `q${group}`);
    const baselineOf = (kind: BaselineKind, utilities: readonly number[], e: number): number =>
      utilities[e] - computeAdvantages(kind, utilities, groups, questions, frozenMemory())[e];
    fc.assert(
      fc.property(fc.constantFrom(...kinds), shares(9), fc.nat(8), share, (kind, utilities, e, other) => {
        expect(baselineOf(kind, utilities.with(e, other), e)).toBeCloseTo(baselineOf(kind, utilities, e), 5);
      }),
    );
  });

  it("leave-one-out: the advantages of a group add up to 0", () => {
    fc.assert(
      fc.property(fc.constantFrom(2, 3, 4, 6), shares(12), (K, utilities) => {
        const advantages = computeAdvantages("leave-one-out", utilities, groupsOf(12, K), names(12), emptyMemory());
        for (let g = 0; g < 12 / K; g++) expect(sum(advantages.subarray(g * K, (g + 1) * K))).toBeCloseTo(0, 5);
      }),
    );
  });

  it("leave-one-out: runs that all earn the same get exactly 0, whatever they earn", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9 }), share, (K, utility) => {
        const utilities = new Array<number>(2 * K).fill(utility);
        const advantages = computeAdvantages(
          "leave-one-out",
          utilities,
          groupsOf(2 * K, K),
          names(2 * K),
          emptyMemory(),
        );
        expect(advantages.every((advantage) => advantage === 0)).toBe(true);
      }),
    );
  });

  it("leave-one-out: a run without siblings teaches nothing", () => {
    expect([...computeAdvantages("leave-one-out", [1, 0], [0, 1], names(2), emptyMemory())]).toEqual([0, 0]);
  });

  it("means that have seen one utility alone give exactly 0 when it comes again", () => {
    for (const kind of ["moving-mean", "question-mean"] as const) {
      for (const utility of [0, 1]) {
        const memory = emptyMemory();
        const play = () => computeAdvantages(kind, new Array(8).fill(utility), groupsOf(8, 1), names(8), memory);
        play();
        for (let update = 0; update < 50; update++) expect([...play()]).toEqual(new Array(8).fill(0));
      }
    }
  });

  it("moving mean: follows the mean utility of earlier updates", () => {
    const memory = emptyMemory();
    const play = (utilities: number[]) => [
      ...computeAdvantages("moving-mean", utilities, groupsOf(2, 1), names(2), memory),
    ];
    expect(play([1, 0])).toEqual([1, 0]);
    expect(play([1, 0])).toEqual([0.5, -0.5]);
    for (let update = 0; update < 200; update++) play([1, 1]);
    expect(memory.mean).toBeCloseTo(1, 6);
  });

  it("question mean: shrinks a question's own mean towards the mean of all", () => {
    const memory: BaselineMemory = { mean: 0.5, count: 10, questions: { often: [40, 40] } };
    const [often, never] = computeAdvantages("question-mean", [1, 1], [0, 1], ["often", "never"], memory);
    expect(often).toBeCloseTo(1 - (40 + 4 * 0.5) / 44, 6);
    expect(never).toBeCloseTo(0.5, 6);
    expect(memory.questions["never"]).toEqual([1, 1]);
  });

  it("takes any identity a bank may give its questions", () => {
    const memory = emptyMemory();
    for (const kind of kinds) {
      const ids = ["constructor", "__proto__", "toString", "7"];
      const advantages = computeAdvantages(kind, [1, 1, 0, 0], groupsOf(4, 2), ids, memory);
      expect(advantages.every(Number.isFinite)).toBe(true);
    }
  });
});

/** d loss / d credit, [D, B·N], of a loss that is a function of the spoken credits. */
function creditGradient(
  batch: Batch,
  advantages: Float32Array,
  loss: (spoken: tfjs.Tensor2D, tensors: BatchTensors) => tfjs.Scalar,
  credits = batch.credits,
): { loss: number; gradient: Float32Array } {
  return tf.tidy(() => {
    const tensors = toTensors(tf, batch, advantages);
    const spoken = tf.tensor2d(credits, [batch.decisions, batch.episodes * batch.agents]);
    const { value, grad } = tf.valueAndGrad((c) => loss(c as tfjs.Tensor2D, tensors))(spoken);
    return { loss: value.dataSync()[0], gradient: Float32Array.from(grad.dataSync()) };
  });
}

const reinforceGradient = (batch: Batch, advantages: Float32Array): Float32Array =>
  creditGradient(batch, advantages, (spoken, tensors) => reinforceLoss(tf, spoken, tensors, batch.episodes)).gradient;

const draws = 20_000;
const games = { "three agents, one decision": tableGame(3, 1, 1), "two agents, two decisions": tableGame(2, 2, 2) };

describe.each(Object.entries(games))("the estimator against enumeration (%s, 20,000 draws)", (_, game) => {
  const truth = exactGradient(game);
  let rollouts: Rollout[];
  let batch: Batch;
  let utilities: number[];
  beforeAll(async () => {
    const starts = Array.from({ length: draws }, (_, s) => gameStarts(gameQuestions(2), 11, s)[s % 2]);
    rollouts = await playRollouts(gameWorld(asGame(game)), tablePolicy(game), starts, 1, 64);
    batch = packBatch(rollouts, deliberationReading);
    utilities = rollouts.map(({ record }) => record.utility);
  });

  /** Advantages by groups of K. The utilities of this game depend on the draws alone, so any K episodes are runs of one start. */
  function advantagesOf(kind: BaselineKind, K: number): Float32Array {
    const advantages = new Float32Array(draws);
    const block = 100 * K;
    for (let from = 0; from < draws; from += block) {
      const part = utilities.slice(from, from + block);
      const questions = rollouts.slice(from, from + block).map(({ record }) => record.question);
      advantages.set(computeAdvantages(kind, part, groupsOf(part.length, K), questions, frozenMemory()), from);
    }
    return advantages;
  }

  /** The largest distance between the mean of 20,000 estimates and the truth, in standard errors; groups of K are the units. */
  function worstError(gradient: Float32Array, K: number): number {
    const units = Math.floor(draws / K);
    const estimates = new Map([...truth.keys()].map((key) => [key, new Float64Array(units)]));
    rollouts.slice(0, units * K).forEach(({ decisions }, b) => {
      decisions.forEach((_, d) => {
        const history = writeHistory(decisions.slice(0, d).map(({ action }) => action.participantsN));
        for (let i = 0; i < game.agents; i++) {
          // The loss has the other sign and is a mean over all episodes.
          const estimate = -draws * gradient[(d * draws + b) * game.agents + i];
          estimates.get(`${history}/${i}`)![Math.floor(b / K)] += estimate / K;
        }
      });
    });
    const errors = [...estimates].map(
      ([key, values]) => Math.abs(mean(values) - truth.get(key)!) / Math.sqrt(variance(values) / units),
    );
    return Math.max(...errors);
  }

  it.each(["none", "moving-mean", "question-mean"] as const)("%s: within 3 standard errors", (kind) => {
    expect(worstError(reinforceGradient(batch, advantagesOf(kind, 1)), 1)).toBeLessThan(3);
  });

  it.each([2, 3, 4])("leave-one-out over %i runs: within 3 standard errors", (K) => {
    expect(worstError(reinforceGradient(batch, advantagesOf("leave-one-out", K)), K)).toBeLessThan(3);
  });

  it("a mean that includes the episode itself would be found out", () => {
    const selfInclusive = Float32Array.from(utilities, (u, e) => u - (u + utilities[e ^ 1]) / 2);
    expect(worstError(reinforceGradient(batch, selfInclusive), 2)).toBeGreaterThan(5);
  });

  it("counting the draws that the floor overruled would be found out", () => {
    const careless = { ...batch, free: batch.present };
    expect(worstError(reinforceGradient(careless, advantagesOf("none", 1)), 1)).toBeGreaterThan(5);
  });
});

describe("the estimator through the network", () => {
  const game = tableGame(3, 2, 5);
  const world = gameWorld(asGame(game));
  const config: NetworkConfig = {
    kind: "credit-gru",
    embedding: 0,
    projection: 0,
    scalars: world.spec.scalars,
    hidden: 3,
    heads: "two",
    clamp: 6,
  };

  /** All trajectories of two decisions with their probability, played through the runtime's forward pass. */
  async function enumerateTrajectories(weights: Weights): Promise<{ rollout: Rollout; probability: number }[]> {
    const choices = [1, 2, 3, 4, 5, 6, 7].map((bits) => Uint8Array.of(bits & 1, (bits >> 1) & 1, bits >> 2));
    const plans = choices.flatMap((first) => choices.map((second) => [first, second]));
    return Promise.all(
      plans.map(async (plan) => {
        let probability = 1;
        const policy: Policy = {
          name: "planned",
          begin: () => {
            const pass = createForward(config, weights);
            const hidden = new Float32Array(3 * config.hidden);
            return {
              act: (observation) => {
                const creditsN = pass.step(observation, hidden);
                const participantsN = plan[observation.round - 2];
                const leading = enumerateDraws(creditsN).filter(
                  (draw) => draw.participants.join() === participantsN.join(),
                );
                probability *= sum(leading.map((draw) => draw.probability));
                return { creditsN, participantsN, countedN: countedByDefinition(creditsN, participantsN) };
              },
            };
          },
        };
        const [rollout] = await playRollouts(world, policy, gameStarts(gameQuestions(1), 1), 1, 1);
        return { rollout, probability };
      }),
    );
  }

  /** An agent's draw does not count where it alone takes part and would have been put there anyway. */
  const countedByDefinition = (credits: Float32Array, participants: Uint8Array): Uint8Array =>
    participants.map((z, i) => (z === 1 && sum(participants) === 1 && credits[i] === Math.max(...credits) ? 0 : 1));

  it("its mean over all trajectories is the gradient of expected utility in every weight", async () => {
    const fresh = initialWeights(config, createRng("gradient"));
    const weights: Weights = Object.fromEntries(
      Object.entries(fresh).map(([name, { shape, data }]) => [name, { shape, data: data.map((w) => 2 * w) }]),
    );
    const all = await enumerateTrajectories(weights);
    expect(sum(all.map(({ probability }) => probability))).toBeCloseTo(1, 5);

    const network = fromWeights(tf, config, weights);
    const batch = packBatch(
      all.map(({ rollout }) => rollout),
      deliberationReading,
    );
    // Weighted by probability, the mean over the batch is the expectation.
    const advantages = all.map(({ rollout, probability }) => batch.episodes * probability * rollout.record.utility);
    const { gradients } = lossGradients(network, () => {
      const tensors = toTensors(tf, batch, Float32Array.from(advantages));
      return reinforceLoss(tf, spokenCredits(tf, creditsOf(network, batch), tensors), tensors, batch.episodes);
    });
    dispose(network);

    const expected = async (shifted: Weights): Promise<number> =>
      sum(
        (await enumerateTrajectories(shifted)).map(({ rollout, probability }) => probability * rollout.record.utility),
      );
    const step = 1e-2;
    const slopes: number[] = [];
    for (const [name, { shape, data }] of Object.entries(weights)) {
      for (let k = 0; k < data.length; k += 2) {
        const at = (by: number) => expected({ ...weights, [name]: { shape, data: data.with(k, data[k] + by) } });
        const slope = ((await at(step)) - (await at(-step))) / (2 * step);
        slopes.push(slope);
        expect(-gradients[name].data[k], `${name}[${k}]`).toBeCloseTo(slope, 4);
      }
    }
    expect(Math.max(...slopes.map(Math.abs))).toBeGreaterThan(0.005);
  });
});

const creditsOf = (network: CreditNetwork, batch: Batch) =>
  forward(network, {
    steps: batch.decisions,
    rows: batch.episodes * batch.agents,
    embeddings: batch.embeddings,
    scalarsTRS: batch.scalars,
  });

/** A small simulated world with a fresh network, and a batch played in it: K runs of each start. */
async function playSimulated(starts: number, K: number, overrides: Record<string, unknown> = {}) {
  const recipe = checkRecipe(
    {
      name: "estimators",
      population: { kind: "simulated", embeddingDimension: 8, questions: { independent: 60 } },
      network: { projection: 4, hidden: 8 },
      train: { starts, samples: K },
      ...overrides,
    },
    "the test",
  );
  const world = await openWorld(recipe);
  const weights = initialWeights(world.network, createRng("estimators"));
  const policy = networkPolicy("test", createForward(world.network, weights), "sampled");
  const settings = { ...recipe.train, attack: recipe.attack };
  const played = trainingStarts(world.split.train, settings, recipe.seed, 0);
  const rollouts = await playRollouts(world.environment(), policy, played, K, 16);
  return { world, weights, rollouts, batch: packBatch(rollouts, deliberationReading) };
}

describe("the losses", () => {
  const anyBatch = () => playSimulated(6, 3);
  const randomAdvantages = (batch: Batch): Float32Array =>
    Float32Array.from({ length: batch.episodes }, (_, e) => createRng(e).normal());

  it("PPO at ratio 1 has the gradient of REINFORCE", async () => {
    const { batch } = await anyBatch();
    const advantages = randomAdvantages(batch);
    const plain = reinforceGradient(batch, advantages);
    const { gradient } = creditGradient(batch, advantages, (spoken, tensors) =>
      clippedLoss(tf, spoken, tensors, batch.episodes, 0.2),
    );
    const largest = Math.max(...plain.map(Math.abs));
    expect(Math.max(...gradient.map((g, k) => Math.abs(g - plain[k])))).toBeLessThan(1e-5 * largest);
    expect(largest).toBeGreaterThan(0);
  });

  it("PPO gives no gradient to decisions that left the clip range in the direction of their advantage", async () => {
    const { batch } = await anyBatch();
    const moved = batch.credits.map((c, row) => c + (batch.chosen[row] === 1 ? 2 : -2));
    const clipped = (advantage: number) =>
      creditGradient(
        batch,
        new Float32Array(batch.episodes).fill(advantage),
        (spoken, tensors) => clippedLoss(tf, spoken, tensors, batch.episodes, 0.2),
        moved,
      ).gradient;
    expect(clipped(1).every((g) => g === 0)).toBe(true);
    expect(clipped(-1).some((g) => g !== 0)).toBe(true);
  });

  it("the decision loss has the gradient of finite differences, and its value by the book", async () => {
    const { batch } = await anyBatch();
    const credits = Float32Array.from(batch.credits, (_, row) => 2 * createRng(row).normal());
    const none = new Float32Array(batch.episodes);
    const found = creditGradient(
      batch,
      none,
      (decide, tensors) => decisionLoss(tf, decide, tensors, batch.episodes),
      credits,
    );
    const step = 1e-5;
    expect(found.loss).toBeCloseTo(decisionLossByHand(batch, credits), 5);
    expect(found.loss).toBeGreaterThan(0.05);
    for (let row = 0; row < credits.length; row += 5) {
      const at = (by: number) => decisionLossByHand(batch, Float64Array.from(credits).with(row, credits[row] + by));
      expect(found.gradient[row]).toBeCloseTo((at(step) - at(-step)) / (2 * step), 5);
    }
  });

  /** Mean over votes of −log(weight on the gold answer / weight of all readable), where it is open. */
  function decisionLossByHand(batch: Batch, credits: ArrayLike<number>): number {
    const votes = batch.decisions * batch.episodes;
    let total = 0;
    for (let vote = 0; vote < votes; vote++) {
      const rows = Array.from({ length: batch.agents }, (_, i) => vote * batch.agents + i);
      const weightOf = (mask: Float32Array) => sum(rows.map((row) => mask[row] / (1 + Math.exp(-credits[row]))));
      const [right, readable] = [weightOf(batch.supports), weightOf(batch.readable)];
      if (right > 0 && right < readable) total -= Math.log(right / readable);
    }
    return total / votes;
  }

  it("stay finite, with finite gradients, at logits of ±200", async () => {
    const { batch } = await anyBatch();
    for (const sign of [1, -1]) {
      const credits = batch.credits.map((_, row) => (row % 2 === 0 ? 200 : -200) * sign);
      const losses: ((spoken: tfjs.Tensor2D, tensors: BatchTensors) => tfjs.Scalar)[] = [
        (spoken, tensors) => reinforceLoss(tf, spoken, tensors, batch.episodes),
        (spoken, tensors) => clippedLoss(tf, spoken, tensors, batch.episodes, 0.2),
        (spoken, tensors) => decisionLoss(tf, spoken, tensors, batch.episodes),
        (spoken, tensors) => meanEntropy(tf, spoken, tensors),
      ];
      for (const loss of losses) {
        const found = creditGradient(batch, randomAdvantages(batch), loss, credits);
        expect(found.loss).not.toBeNaN();
        expect(Math.abs(found.loss)).toBeLessThan(Infinity);
        expect(found.gradient.every(Number.isFinite)).toBe(true);
      }
    }
  });

  it("the entropy that is reported is the entropy that is rewarded", async () => {
    const { batch } = await anyBatch();
    const credits = batch.credits.map((_, row) => 3 * createRng(row).normal());
    const { loss } = creditGradient(
      batch,
      new Float32Array(batch.episodes),
      (spoken, tensors) => meanEntropy(tf, spoken, tensors),
      credits,
    );
    expect(sampledEntropy({ ...batch, credits })).toBeCloseTo(loss, 5);
    expect(sampledEntropy({ ...batch, credits: credits.map(() => 0) })).toBeCloseTo(Math.LN2, 6);
    expect(sampledEntropy({ ...batch, free: credits.map(() => 0) })).toBe(0);
  });

  it("the soft reward is the share of the last vote's weight on the gold answer", async () => {
    const { batch } = await anyBatch();
    const rewards = softVotes(batch);
    rewards.forEach((reward, b) => {
      const start = ((batch.decisions - 1) * batch.episodes + b) * batch.agents;
      const rows = Array.from({ length: batch.agents }, (_, i) => start + i);
      const weights = rows.map((row) => batch.readable[row] / (1 + Math.exp(-batch.credits[row])));
      expect(reward).toBeCloseTo(sum(rows.map((row, i) => weights[i] * batch.supports[row])) / sum(weights), 10);
    });
    expect(new Set(rewards).size).toBeGreaterThan(3);
    expect(softVotes({ ...batch, readable: new Float32Array(batch.readable.length) })).toEqual(rewards.map(() => 0));
  });
});

describe("leave-one-out with shared calls", () => {
  it("has less variance than plain REINFORCE at an equal number of calls", async () => {
    const K = 4;
    const { world, weights, rollouts } = await playSimulated(120, K);
    const network = fromWeights(tf, world.network, weights);
    const gradientOf = (runs: readonly Rollout[], kind: BaselineKind): number[] => {
      const batch = packBatch(runs, deliberationReading);
      const utilities = runs.map(({ record }) => record.utility);
      const advantages = computeAdvantages(
        kind,
        utilities,
        groupsOf(runs.length, K),
        names(runs.length),
        emptyMemory(),
      );
      const { gradients } = lossGradients(network, () => {
        const tensors = toTensors(tf, batch, advantages);
        return reinforceLoss(tf, spokenCredits(tf, creditsOf(network, batch), tensors), tensors, batch.episodes);
      });
      return Object.values(gradients).flatMap(({ data }) => [...data]);
    };
    const groups = Array.from({ length: rollouts.length / K }, (_, g) => rollouts.slice(g * K, (g + 1) * K));
    /** Variance of the estimate that one call buys: trace of the covariance of a unit times the calls it takes. */
    const perCall = (estimates: number[][], calls: number[]): number =>
      mean(calls) * sum(estimates[0].map((_, k) => variance(estimates.map((estimate) => estimate[k]))));
    const plain = perCall(
      groups.map(([first]) => gradientOf([first], "none")),
      groups.map(([first]) => first.record.calls),
    );
    const leaveOneOut = perCall(
      groups.map((group) => gradientOf(group, "leave-one-out")),
      groups.map((group) => countSharedCalls(group.map(({ record }) => record))),
    );
    dispose(network);
    expect(leaveOneOut).toBeLessThan(0.5 * plain);
  });

  it("K runs of one start need between N and N + K·N·(T−1) calls, and never more than they made", async () => {
    for (const [K, rounds] of [
      [1, 3],
      [4, 3],
      [3, 1],
      [2, 5],
    ]) {
      const { rollouts } = await playSimulated(10, K, { team: { agents: 6, rounds } });
      for (let g = 0; g < 10; g++) {
        const records = rollouts.slice(g * K, (g + 1) * K).map(({ record }) => record);
        const shared = countSharedCalls(records);
        expect(shared).toBeGreaterThanOrEqual(6);
        expect(shared).toBeLessThanOrEqual(6 + K * 6 * (rounds - 1));
        expect(shared).toBeLessThanOrEqual(sum(records.map(({ calls }) => calls)));
        if (K === 1) expect(shared).toBe(records[0].calls);
        expect(countSharedCalls([...records, ...records])).toBe(shared);
      }
    }
  });

  it("calls are shared only where the same was heard through time, too", () => {
    const said: UtteranceRecord = { answer: "A", status: "parsed" };
    const heard = (edges: [number, number][], temporal?: [number, number][]) =>
      ({
        rounds: [
          [said, said, null],
          [said, null, null],
        ],
        decisions: [{ round: 2, credits: [], participants: [], edges, temporal, levels: 1 }],
      }) as unknown as EpisodeRecord;
    const alone = heard([]);
    const earlier = heard([], [[1, 0]]);
    expect(countSharedCalls([alone, alone])).toBe(3);
    expect(countSharedCalls([alone, earlier])).toBe(4);
    expect(countSharedCalls([earlier, earlier])).toBe(3);
    // The same words, said in the round or before it, make two prompts.
    expect(countSharedCalls([heard([[1, 0]]), earlier])).toBe(4);
    // Agent 2 has not spoken, so it is not heard.
    expect(countSharedCalls([alone, heard([], [[2, 0]])])).toBe(3);
  });

  it("runs of one start differ in nothing but the policy's draws: all say the same in round 1", async () => {
    const { rollouts } = await playSimulated(10, 4);
    for (let e = 0; e < rollouts.length; e++) {
      expect(rollouts[e].record.rounds[0]).toEqual(rollouts[e - (e % 4)].record.rounds[0]);
    }
    const participations = rollouts.map(({ decisions }) =>
      decisions.map(({ action }) => action.participantsN.join("")).join(),
    );
    expect(new Set(participations.slice(0, 4)).size).toBeGreaterThan(1);
  });
});

describe("a batch without signal", () => {
  const reinforceOnly = { reinforce: 1, decisionLoss: 0 };
  const decisionOnly = { reinforce: 0, decisionLoss: 1 };

  it("is known by its advantages and its votes", async () => {
    const { batch } = await playSimulated(4, 2);
    const none = new Float32Array(batch.episodes);
    const some = none.with(3, 1e-6);
    const closed = { ...batch, supports: batch.readable };
    expect(hasSignal(batch, none, reinforceOnly)).toBe(false);
    expect(hasSignal(batch, some, reinforceOnly)).toBe(true);
    expect(hasSignal(batch, some, { ...reinforceOnly, reinforce: 0 })).toBe(false);
    expect(hasSignal(batch, none, decisionOnly)).toBe(true);
    expect(hasSignal(closed, none, decisionOnly)).toBe(false);
    expect(hasSignal({ ...batch, supports: none }, some, decisionOnly)).toBe(false);
  });

  it("groups whose runs earn the same are counted", () => {
    expect(countZeroSignalGroups([1, 1, 0, 1, 0, 0], [0, 0, 1, 1, 2, 2])).toBe(2);
    expect(countZeroSignalGroups([1, 0], [0, 1])).toBe(2);
    expect(countZeroSignalGroups([], [])).toBe(0);
  });
});

describe("a collapse", () => {
  it.each([
    ["all", 8, undefined],
    ["none", -8, undefined],
    ["one", 0, 1],
    [undefined, 0, undefined],
  ] as const)("%s: is told from credits and participation", async (expected, credit, participants) => {
    const { batch } = await playSimulated(5, 2);
    const chosen =
      participants === undefined ? batch.chosen : batch.chosen.map((_, row) => (row % batch.agents === 0 ? 1 : 0));
    expect(findCollapse({ ...batch, chosen, credits: batch.credits.map(() => credit) })).toBe(expected);
  });

  it("is nothing a team of one or a single round can suffer", async () => {
    const alone = { team: { agents: 1 }, attack: { adversaries: [0] }, evaluate: { adversaries: [0] } };
    expect(findCollapse((await playSimulated(3, 2, alone)).batch)).toBeUndefined();
    expect(findCollapse((await playSimulated(3, 2, { team: { rounds: 1 } })).batch)).toBeUndefined();
  });
});

describe("parity of rollouts and network", () => {
  it("holds for the weights that played, and throws for others", async () => {
    const { world, weights, batch } = await playSimulated(4, 2);
    const same = fromWeights(tf, world.network, weights);
    expect(checkParity(same, batch)).toBeLessThan(1e-5);
    dispose(same);
    const { shape, data } = weights["communicate.bias"];
    const other = fromWeights(tf, world.network, {
      ...weights,
      "communicate.bias": { shape, data: data.map((bias) => bias + 0.01) },
    });
    expect(() => checkParity(other, batch)).toThrowError(
      expect.objectContaining({ code: "train/parity", message: expect.stringMatching(/disagree on a credit by 0\.0/) }),
    );
    dispose(other);
  });
});
