import { readFileSync } from "node:fs";
import type * as tfjs from "@tensorflow/tfjs";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { createRng } from "../src/base/rng.ts";
import type { Embedding } from "../src/contracts/agent.ts";
import { type NetworkConfig, type Weights, weightShapes } from "../src/contracts/policy.ts";
import { adamStep, startAdam } from "../src/nets/adam.ts";
import { openBackend, type TensorFlow, tryBackends } from "../src/nets/backend.ts";
import {
  type CreditBatch,
  type CreditNetwork,
  type Credits,
  createNetwork,
  disposeNetwork,
  networkFromWeights,
  networkWeights,
  setNetworkWeights,
} from "../src/nets/credit-network.ts";
import { lossGradients } from "../src/nets/gradients.ts";
import { networks } from "../src/nets/index.ts";
import { initialWeights } from "../src/nets/initial-weights.ts";
import { linear } from "../src/nets/linear.ts";
import { entropies, logProbabilities } from "../src/nets/participation.ts";
import { type Dropout, projectEmbeddings } from "../src/nets/project-embeddings.ts";
import { errorOf } from "./support/error-of.ts";

type JsonWeights = Record<string, { shape: number[]; data: number[] }>;
interface GruOracle {
  config: NetworkConfig;
  agents: number;
  steps: number;
  rows: number;
  weights: JsonWeights;
  embeddings: number[][];
  scalars: number[];
  participants: number[][];
  counted: number[][];
  advantages: number[];
  solutions: number[][][];
  gold: number[];
  communicate: number[][];
  decide: number[][];
  loss: number;
  gradients: JsonWeights;
  afterAdam: JsonWeights;
}
interface AdamOracle {
  start: JsonWeights;
  gradients: JsonWeights[];
  runs: { settings: { learningRate: number }; norms: number[]; weights: JsonWeights }[];
}

const oracle = (name: string) => JSON.parse(readFileSync(new URL(`./oracle/${name}.json`, import.meta.url), "utf8"));
const fromJson = (weights: JsonWeights): Weights =>
  Object.fromEntries(
    Object.entries(weights).map(([name, { shape, data }]) => [name, { shape, data: Float32Array.from(data) }]),
  );

/** Largest difference in units of the largest entry. */
function relativeError(found: ArrayLike<number>, expected: ArrayLike<number>): number {
  expect(found.length).toBe(expected.length);
  let error = 0;
  let largest = 1e-12;
  for (let i = 0; i < expected.length; i++) {
    error = Math.max(error, Math.abs(found[i] - expected[i]));
    largest = Math.max(largest, Math.abs(expected[i]));
  }
  return error / largest;
}

const sparse = (row: readonly number[]): Embedding | null => {
  const indices = row.flatMap((value, i) => (value === 0 ? [] : [i]));
  if (indices.length === 0) return null;
  return {
    dimension: row.length,
    indices: Int32Array.from(indices),
    values: Float32Array.from(indices, (i) => row[i]),
  };
};

const plain: NetworkConfig = {
  kind: "credit-gru",
  embedding: 40,
  projection: 6,
  scalars: ["a", "b", "c"],
  hidden: 8,
  heads: "two",
  clamp: 6,
};

const kinds = ["credit-gru", "credit-mlp"] as const;
const forward = (network: CreditNetwork, batch: CreditBatch, dropout?: Dropout): Credits =>
  networks[network.config.kind].forward(network, batch, dropout);

function randomBatch(steps: number, rows: number, D: number, S: number, seed = 3): CreditBatch {
  const rng = createRng(seed);
  const embeddings = Array.from({ length: steps * rows }, () =>
    sparse(Array.from({ length: D }, () => (rng.uniform() < 0.15 ? rng.normal() : 0))),
  );
  return { steps, rows, embeddings, scalarsTRS: Float32Array.from({ length: steps * rows * S }, () => rng.normal()) };
}

describe("choosing a backend", () => {
  it("takes the first backend that computes gradients and says what the ones before it said", async () => {
    const { name, tried, tf } = await openBackend();
    expect(tf.getBackend()).toBe(name);
    expect(tried.at(-1)).toMatchObject({ name, ok: true });
    for (const trial of tried.slice(0, -1)) {
      expect(trial.ok).toBe(false);
      expect(trial.message).not.toBe("");
    }
  });

  it("always finds wasm and cpu from the installed packages alone", async () => {
    const trials = await tryBackends();
    expect(trials.map((trial) => trial.name)).toEqual(["tensorflow", "wasm", "cpu"]);
    expect(trials.slice(1).every((trial) => trial.ok)).toBe(true);
  });

  it("opens a pinned native backend or says clearly that it does not work here", async () => {
    const trials = await tryBackends();
    const opened = openBackend("tensorflow");
    if (trials[0].ok) expect((await opened).name).toBe("tensorflow");
    else
      await expect(opened).rejects.toMatchObject({ code: "backend/unavailable", hint: expect.stringMatching(/auto/) });
  });

  it("refuses a name that is no backend", async () => {
    await expect(openBackend("wsam" as "wasm")).rejects.toMatchObject({
      code: "backend/unknown",
      hint: expect.stringMatching(/Did you mean "wasm"/),
    });
  });

  it("leaves no handlers for uncaught errors behind", async () => {
    await openBackend("wasm");
    const handlers = process.rawListeners("uncaughtException").map(String);
    expect(handlers.filter((handler) => handler.includes("ExitStatus"))).toEqual([]);
  });
});

describe.each(["wasm", "cpu"] as const)("on %s", (backend) => {
  let tf: TensorFlow;
  beforeAll(async () => {
    tf = (await openBackend(backend)).tf;
  });

  describe.each(["two", "shared"] as const)("the credit network with %s heads", (heads) => {
    const data = oracle(`credit-gru-${heads}`) as GruOracle;
    const { steps, rows, agents } = data;
    const batch: CreditBatch = {
      steps,
      rows,
      embeddings: data.embeddings.map(sparse),
      scalarsTRS: Float32Array.from(data.scalars),
    };

    /** The loss of make-oracle.py: REINFORCE in the rounds, entropy bonus, cross-entropy of the soft vote. */
    function loss(network: CreditNetwork): tfjs.Scalar {
      const { communicate, decide } = forward(network, batch);
      const rounds = steps - 1;
      const teams = rows / agents;
      const c = tf.slice(communicate, [0, 0], [rounds, rows]);
      const counted = tf.tensor2d(data.counted);
      const logPi = logProbabilities(tf, c, tf.tensor2d(data.participants), counted);
      const logPiOfTeam = tf.sum(tf.sum(tf.reshape(logPi, [rounds, teams, agents]), 2), 0);
      const reinforce = tf.mean(tf.mul(logPiOfTeam, tf.tensor1d(data.advantages)));
      const p = tf.reshape(tf.sigmoid(tf.slice(decide, [steps - 1, 0], [1, rows])), [teams, agents, 1]);
      const support = tf.sum(tf.mul(p, tf.tensor3d(data.solutions)), 1);
      const gold = tf.oneHot(tf.tensor1d(data.gold, "int32"), data.solutions[0][0].length);
      const vote = tf.sub(tf.log(tf.sum(tf.mul(support, gold), 1)), tf.log(tf.sum(support, 1)));
      const bonus = tf.mul(tf.sum(entropies(tf, c, counted)), 0.01);
      return tf.neg(tf.add(tf.add(reinforce, bonus), tf.mean(vote))) as tfjs.Scalar;
    }

    it("gives PyTorch's credits, loss, gradients and Adam step", () => {
      const network = networkFromWeights(tf, data.config, fromJson(data.weights));
      const credits = tf.tidy(() => {
        const { communicate, decide } = forward(network, batch);
        return { communicate: communicate.dataSync(), decide: decide.dataSync() };
      });
      expect(relativeError(credits.communicate, data.communicate.flat())).toBeLessThan(1e-5);
      expect(relativeError(credits.decide, data.decide.flat())).toBeLessThan(1e-5);
      const found = lossGradients(network, () => loss(network));
      expect(Math.abs(found.loss / data.loss - 1)).toBeLessThan(1e-5);
      const weights = networkWeights(network);
      const stepped = adamStep(weights, found.gradients, startAdam(weights), { learningRate: 0.01 });
      expect(Object.keys(found.gradients)).toEqual(Object.keys(data.gradients));
      for (const [name, { data: expected }] of Object.entries(data.gradients)) {
        expect(relativeError(found.gradients[name].data, expected), name).toBeLessThan(1e-5);
        expect(relativeError(stepped.weights[name].data, data.afterAdam[name].data), name).toBeLessThan(1e-5);
      }
      disposeNetwork(network);
    });
  });

  it.each(kinds)("leaks no tensor over 200 training steps (%s)", (kind) => {
    const config = { ...plain, kind };
    const network = createNetwork(tf, config, createRng(1));
    const batch = randomBatch(2, 4, config.embedding, config.scalars.length);
    let state = startAdam(networkWeights(network));
    const step = (seed: number): void => {
      const { gradients } = lossGradients(network, () => {
        const { communicate, decide } = forward(network, batch, { rate: 0.5, seed });
        return tf.mean(tf.square(tf.sub(communicate, decide))) as tfjs.Scalar;
      });
      const next = adamStep(networkWeights(network), gradients, state, { learningRate: 0.01 });
      state = next.state;
      setNetworkWeights(network, next.weights);
    };
    step(0);
    const before = tf.memory().numTensors;
    for (let k = 1; k <= 200; k++) step(k);
    expect(tf.memory().numTensors).toBe(before);
    disposeNetwork(network);
    expect(tf.memory().numTensors).toBe(before - Object.keys(network.parameters).length);
  });

  it("keeps log-probabilities and their gradients finite at credits of ±200", () => {
    const credits = [-200, 200, -200, 200, 0];
    const participants = tf.tensor1d([1, 0, 0, 1, 1]);
    const counted = tf.tensor1d([1, 1, 1, 1, 1]);
    const sum = (c: tfjs.Tensor) => tf.sum(logProbabilities(tf, c, participants, counted));
    const { value, grad } = tf.valueAndGrad(sum)(tf.tensor1d(credits));
    expect(value.dataSync()[0]).toBeCloseTo(-400 - Math.LN2, 3);
    expect(Array.from(grad.dataSync(), (slope) => slope + 0)).toEqual([1, -1, 0, 0, 0.5]);
    const { value: entropy, grad: slope } = tf.valueAndGrad((c) => tf.sum(entropies(tf, c, counted)))(
      tf.tensor1d(credits),
    );
    expect(entropy.dataSync()[0]).toBeCloseTo(Math.LN2, 6);
    expect(Array.from(slope.dataSync(), Math.abs)).toEqual([0, 0, 0, 0, 0]);
    tf.dispose([participants, counted, value, grad, entropy, slope]);
  });

  it("gives agents whose draw does not count no log-probability and no gradient", () => {
    const counted = tf.tensor1d([1, 0]);
    const sum = (c: tfjs.Tensor) => tf.sum(logProbabilities(tf, c, tf.tensor1d([1, 1]), counted));
    const { value, grad } = tf.valueAndGrad(sum)(tf.tensor1d([0, 3]));
    expect(value.dataSync()[0]).toBeCloseTo(-Math.LN2, 6);
    expect(Array.from(grad.dataSync())).toEqual([0.5, 0]);
    tf.dispose([value, grad, counted]);
  });

  it("differentiates a linear layer as TensorFlow itself does", () => {
    const rng = createRng(5);
    const random = (...shape: number[]) =>
      tf.tensor(
        Float32Array.from({ length: shape.reduce((a, b) => a * b, 1) }, () => rng.normal()),
        shape,
      );
    tf.tidy(() => {
      const inputs = [random(7, 5), random(3, 5), random(3)];
      const ours = tf.grads((x, w, b) =>
        tf.sum(tf.tanh(linear(tf, x as tfjs.Tensor2D, w as tfjs.Tensor2D, b as tfjs.Tensor1D))),
      )(inputs);
      const theirs = tf.grads((x, w, b) => tf.sum(tf.tanh(tf.add(tf.matMul(x, w, false, true), b))))(inputs);
      for (const [k, gradient] of ours.entries()) {
        expect(relativeError(gradient.dataSync(), theirs[k].dataSync())).toBeLessThan(1e-5);
      }
    });
  });

  describe("projecting embeddings", () => {
    const D = 12;
    const P = 3;
    const rng = createRng(9);
    const rows = Array.from({ length: 1030 }, () =>
      Array.from({ length: D }, () => (rng.uniform() < 0.3 ? Math.fround(rng.normal()) : 0)),
    );
    const weightData = Float32Array.from({ length: P * D }, () => rng.normal());
    const projection = (embeddings: (Embedding | null)[], dropout?: { rate: number; seed: number }) =>
      tf.tidy(() => {
        let y: tfjs.Tensor2D | undefined;
        const gradient = tf.grad((w) => {
          y = tf.keep(projectEmbeddings(tf, w as tfjs.Tensor2D, embeddings, dropout));
          return tf.sum(tf.square(y));
        })(tf.tensor2d(weightData, [P, D]));
        const result = { value: y!.dataSync(), gradient: gradient.dataSync() };
        y!.dispose();
        return result;
      });

    it("equals a dense product and its gradient, over several blocks, with missing rows as zeros", () => {
      const found = projection(rows.map(sparse));
      tf.tidy(() => {
        const x = tf.tensor2d(rows);
        const plain = (w: tfjs.Tensor) => tf.matMul(x, w as tfjs.Tensor2D, false, true);
        const w = tf.tensor2d(weightData, [P, D]);
        expect(relativeError(found.value, plain(w).dataSync())).toBeLessThan(1e-5);
        const gradient = tf.grad((w) => tf.sum(tf.square(plain(w))))(w);
        expect(relativeError(found.gradient, gradient.dataSync())).toBeLessThan(1e-5);
      });
    });

    it("does not care whether an embedding comes sparse or dense", () => {
      const dense = rows.map((row) => ({ dimension: D, values: Float32Array.from(row) }));
      expect(projection(dense)).toEqual(projection(rows.map(sparse)));
      const dropout = { rate: 0.5, seed: 4 };
      expect(projection(dense, dropout)).toEqual(projection(rows.map(sparse), dropout));
    });

    it("drops the stated share of entries, scales the rest, and repeats a mask from its seed", () => {
      const ones = Array.from({ length: 1030 }, () => ({ dimension: D, values: new Float32Array(D).fill(1) }));
      const identity = (seed: number, rate: number): Float32Array =>
        tf.tidy(() => projectEmbeddings(tf, tf.eye(D), ones, { rate, seed }).dataSync() as Float32Array);
      const mask = identity(1, 0.25);
      expect(new Set(mask)).toEqual(new Set([0, Math.fround(1 / 0.75)]));
      // 12,360 draws: three standard errors are .012.
      const kept = mask.filter((value) => value > 0).length / mask.length;
      expect(Math.abs(kept - 0.75)).toBeLessThan(0.012);
      expect(identity(1, 0.25)).toEqual(mask);
      const other = identity(2, 0.25);
      const both = mask.filter((value, i) => value > 0 && other[i] > 0).length / mask.length;
      expect(Math.abs(both - 0.75 ** 2)).toBeLessThan(0.014);
    });
  });
});

describe.each(kinds)("a network (%s)", (kind) => {
  const config = { ...plain, kind };
  let tf: TensorFlow;
  beforeAll(async () => {
    tf = (await openBackend("wasm")).tf;
  });

  it("starts from its own random stream, within PyTorch's bounds", () => {
    const weights = initialWeights(config, createRng(4));
    expect(initialWeights(config, createRng(4))).toEqual(weights);
    expect(initialWeights(config, createRng(5))).not.toEqual(weights);
    for (const [name, { data }] of Object.entries(weights)) {
      const bound = 1 / Math.sqrt(name === "embed.weight" ? 40 : name.startsWith("layer.") ? 9 : 8);
      expect(data.every((w) => Math.abs(w) <= Math.fround(bound))).toBe(true);
    }
  });

  it("gives back the weights it was made from, and those it was set to", () => {
    const first = initialWeights(config, createRng(1));
    const second = initialWeights(config, createRng(2));
    const network = networkFromWeights(tf, config, first);
    expect(networkWeights(network)).toEqual(first);
    setNetworkWeights(network, second);
    expect(networkWeights(network)).toEqual(second);
    disposeNetwork(network);
  });

  it("refuses weights of another shape, naming the tensor and both shapes", () => {
    const weights = { ...initialWeights(config, createRng(1)) };
    const bias = kind === "credit-gru" ? "gru.bias_ih" : "layer.bias";
    weights[bias] = { shape: [3], data: new Float32Array(3) };
    const { code, message } = errorOf(() => networkFromWeights(tf, config, weights));
    expect(code).toBe("network/weights");
    expect(message).toContain(`"${bias}" should be [${kind === "credit-gru" ? 24 : 8}], found [3]`);
    delete weights["embed.weight"];
    expect(() => networkFromWeights(tf, config, weights)).toThrow(/"embed.weight" should be \[6, 40\], found nothing/);
  });

  it("works without embeddings and without scalars", () => {
    for (const bare of [
      { ...config, embedding: 0 },
      { ...config, scalars: [] },
    ]) {
      const network = createNetwork(tf, bare, createRng(1));
      const batch = randomBatch(2, 3, config.embedding, bare.scalars.length);
      const shape = tf.tidy(() => forward(network, batch).communicate.shape);
      expect(shape).toEqual([2, 3]);
      const reading = kind === "credit-gru" ? "gru.weight_ih" : "layer.weight";
      expect(weightShapes(bare)[reading][1]).toBe(bare.embedding > 0 ? 6 : 3);
      disposeNetwork(network);
    }
  });

  it("treats rows alone: a row's credits do not depend on who else is in the batch", () => {
    const network = createNetwork(tf, config, createRng(1));
    const batch = randomBatch(3, 5, config.embedding, 3);
    const pick = (row: number): CreditBatch => ({
      steps: 3,
      rows: 1,
      embeddings: [0, 1, 2].map((t) => batch.embeddings[t * 5 + row]),
      scalarsTRS: Float32Array.from(
        [0, 1, 2].flatMap((t) => [0, 1, 2].map((s) => batch.scalarsTRS[(t * 5 + row) * 3 + s])),
      ),
    });
    const creditsOf = (b: CreditBatch) => tf.tidy(() => forward(network, b).decide.dataSync());
    const all = creditsOf(batch);
    const alone = creditsOf(pick(3));
    expect(relativeError(alone, [all[3], all[8], all[13]])).toBeLessThan(1e-6);
    disposeNetwork(network);
  });

  it("keeps credits within the clamp and their order, however large the logits are", () => {
    const weights = { ...initialWeights({ ...config, clamp: 6 }, createRng(1)) };
    weights["communicate.weight"] = { shape: [1, 8], data: new Float32Array(8).fill(10) };
    const batch = randomBatch(1, 20, config.embedding, 3);
    const creditsWith = (clamp: number) => {
      const network = networkFromWeights(tf, { ...config, clamp }, weights);
      const credits = tf.tidy(() => Array.from(forward(network, batch).communicate.dataSync()));
      disposeNetwork(network);
      return credits;
    };
    const order = (credits: number[]) => [...credits.keys()].sort((a, b) => credits[b] - credits[a]);
    const loose = creditsWith(1e6);
    const clamped = creditsWith(6);
    expect(Math.max(...loose.map(Math.abs))).toBeGreaterThan(6);
    expect(Math.max(...clamped.map(Math.abs))).toBeLessThanOrEqual(6);
    expect(order(clamped)).toEqual(order(loose));
  });

  it("is listed under the name its config gives", () => {
    expect(networks[kind].shapes(config)).toEqual(weightShapes(config));
    expect(Object.keys(initialWeights(config, createRng(1)))).toEqual(Object.keys(weightShapes(config)));
  });

  it(`${kind === "credit-gru" ? "remembers" : "does not see"} what came before`, () => {
    const network = createNetwork(tf, config, createRng(1));
    const [one, other] = [randomBatch(2, 4, 40, 3, 1), randomBatch(2, 4, 40, 3, 2)];
    // The same second step after another first one.
    const mixed: CreditBatch = {
      ...one,
      embeddings: [...other.embeddings.slice(0, 4), ...one.embeddings.slice(4)],
      scalarsTRS: Float32Array.from([...other.scalarsTRS.slice(0, 12), ...one.scalarsTRS.slice(12)]),
    };
    const creditsOf = (batch: CreditBatch) => tf.tidy(() => forward(network, batch).decide.dataSync());
    const [before, after] = [creditsOf(one), creditsOf(mixed)];
    disposeNetwork(network);
    expect(after.slice(0, 4)).not.toEqual(before.slice(0, 4));
    if (kind === "credit-mlp") expect(after.slice(4)).toEqual(before.slice(4));
    else expect(after.slice(4)).not.toEqual(before.slice(4));
  });
});

describe("the layer without memory", () => {
  it("is tanh(W f + b) under the heads, written out", async () => {
    const { tf } = await openBackend("cpu");
    const config: NetworkConfig = { ...plain, kind: "credit-mlp", embedding: 0, scalars: ["a", "b"], hidden: 2 };
    const tensor = (shape: number[], ...data: number[]) => ({ shape, data: Float32Array.from(data) });
    const network = networkFromWeights(tf, config, {
      "layer.weight": tensor([2, 2], 1, -2, 0.5, 0.25),
      "layer.bias": tensor([2], 0.1, -0.3),
      "communicate.weight": tensor([1, 2], 2, -1),
      "communicate.bias": tensor([1], 0.5),
      "decide.weight": tensor([1, 2], -3, 4),
      "decide.bias": tensor([1], 0),
    });
    const batch = { steps: 1, rows: 1, embeddings: [null], scalarsTRS: Float32Array.of(0.7, 0.2) };
    const [communicate, decide] = tf.tidy(() => {
      const credits = forward(network, batch);
      return [credits.communicate.dataSync()[0], credits.decide.dataSync()[0]];
    });
    disposeNetwork(network);
    const h = [Math.tanh(0.7 - 0.4 + 0.1), Math.tanh(0.35 + 0.05 - 0.3)];
    const clamped = (x: number): number => 6 * Math.tanh(x / 6);
    expect(communicate).toBeCloseTo(clamped(2 * h[0] - h[1] + 0.5), 5);
    expect(decide).toBeCloseTo(clamped(-3 * h[0] + 4 * h[1]), 5);
  });
});

describe("Adam", () => {
  const data = oracle("adam") as AdamOracle;
  const start = fromJson(data.start);
  const gradients = data.gradients.map(fromJson);

  it.each(data.runs)("equals PyTorch with $settings", ({ settings, norms, weights: expected }) => {
    let weights = start;
    let state = startAdam(weights);
    for (const [k, step] of gradients.entries()) {
      const next = adamStep(weights, step, state, settings);
      ({ weights, state } = next);
      expect(Math.abs(next.norm / norms[k] - 1)).toBeLessThan(1e-6);
    }
    for (const [name, { data }] of Object.entries(expected)) {
      expect(relativeError(weights[name].data, data), name).toBeLessThan(1e-6);
    }
  });

  it("goes on bit for bit from a saved state", () => {
    const run = (from: { weights: Weights; state: Weights }, steps: Weights[]) =>
      steps.reduce((at, step) => adamStep(at.weights, step, at.state, { learningRate: 0.01 }), from);
    const straight = run({ weights: start, state: startAdam(start) }, gradients);
    const half = run({ weights: start, state: startAdam(start) }, gradients.slice(0, 2));
    const resumed = run(structuredClone({ weights: half.weights, state: half.state }), gradients.slice(2));
    expect(resumed.weights).toEqual(straight.weights);
    expect(resumed.state).toEqual(straight.state);
  });

  it("moves nothing when all gradients are zero", () => {
    const zeros = fromJson(
      Object.fromEntries(
        Object.entries(data.start).map(([k, { shape, data }]) => [k, { shape, data: data.map(() => 0) }]),
      ),
    );
    expect(adamStep(start, zeros, startAdam(start), { learningRate: 0.1, maxNorm: 1 }).weights).toEqual(start);
  });

  it("never moves a weight further than the learning rate in its first step", () => {
    fc.assert(
      fc.property(fc.array(fc.float({ noNaN: true, min: -1e6, max: 1e6 }), { minLength: 1, maxLength: 8 }), (g) => {
        const weights = { w: { shape: [g.length], data: new Float32Array(g.length) } };
        const step = adamStep(weights, { w: { shape: [g.length], data: Float32Array.from(g) } }, startAdam(weights), {
          learningRate: 0.1,
        });
        expect(step.weights["w"].data.every((w) => Math.abs(w) <= 0.1 * (1 + 1e-6))).toBe(true);
      }),
    );
  });

  it("refuses a gradient that is not finite, naming its parameter", () => {
    const broken = { ...gradients[0], b: { shape: [4], data: Float32Array.of(0, NaN, 0, 0) } };
    expect(() => adamStep(start, broken, startAdam(start), { learningRate: 0.1 })).toThrow(/gradient of "b"/);
  });

  it("refuses the state of other parameters", () => {
    const other = startAdam({ a: { shape: [1], data: new Float32Array(1) } });
    expect(() => adamStep(start, gradients[0], other, { learningRate: 0.1 })).toThrow(/"m\/a" should hold 6/);
  });
});
