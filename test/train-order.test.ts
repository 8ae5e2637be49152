import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createRng } from "../src/base/rng.ts";
import { mean } from "../src/base/stats.ts";
import { runEpisode } from "../src/environments/run-episode.ts";
import { type Backend, openBackend } from "../src/nets/index.ts";
import { initialWeights } from "../src/nets/initial-weights.ts";
import { drawOrder, orderLogProbability, rankOf } from "../src/runtime/draw-order.ts";
import { createForward } from "../src/runtime/forward.ts";
import { networkPolicy } from "../src/runtime/network-policy.ts";
import { type TrainSettings, train } from "../src/train/index.ts";
import { orderLoss } from "../src/train/order-loss.ts";
import { ladderReading, ladderWorld } from "./support/ladder-world.ts";
import { toySettings } from "./support/toy-training.ts";

let backend: Backend;
beforeAll(async () => {
  backend = await openBackend("cpu");
});
const root = mkdtempSync(join(tmpdir(), "colloquy-order-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const orders = [
  [0, 2, 3],
  [0, 3, 2],
  [2, 0, 3],
  [2, 3, 0],
  [3, 0, 2],
  [3, 2, 0],
];
const trustN = [0.8, 5, -0.3, 0.1];
/** Agent 1 does not take part, however trusted. */
const participantsN = [1, 0, 1, 1];
const later = (order: readonly number[]): Float32Array => {
  const data = new Float32Array(16);
  order.forEach((i, place) => {
    for (const j of order.slice(place)) data[4 * i + j] = 1;
  });
  return data;
};

describe("drawn orders", () => {
  it("come up as often as their probability says, and the probabilities add up to 1", () => {
    const rng = createRng(3);
    const counts = new Map<string, number>();
    const draws = 30_000;
    for (let k = 0; k < draws; k++) {
      const { scoresN, logProbability } = drawOrder(trustN, participantsN, rng);
      const order = rankOf(scoresN, participantsN);
      expect(logProbability).toBeCloseTo(orderLogProbability(trustN, order), 10);
      counts.set(order.join(), (counts.get(order.join()) ?? 0) + 1);
    }
    let total = 0;
    for (const order of orders) {
      const probability = Math.exp(orderLogProbability(trustN, order));
      total += probability;
      const deviation = Math.sqrt((probability * (1 - probability)) / draws);
      expect(Math.abs((counts.get(order.join()) ?? 0) / draws - probability)).toBeLessThan(4 * deviation);
    }
    expect(total).toBeCloseTo(1, 10);
  });

  it("have a loss whose gradient, over all orders, is that of the expected utility", () => {
    const { tf } = backend;
    const utilityOf = (order: readonly number[]): number => order.indexOf(3) + 0.5 * order.indexOf(0);
    const expected = (trust: readonly number[]): number =>
      orders.reduce((sum, order) => sum + Math.exp(orderLogProbability(trust, order)) * utilityOf(order), 0);
    const gradient = [0, 0, 0, 0];
    for (const order of orders) {
      const size = { decisions: 1, episodes: 1, agents: 4 };
      const weight = Math.exp(orderLogProbability(trustN, order)) * utilityOf(order);
      const slope = tf.grad((c) => orderLoss(tf, c as never, size, later(order), Float32Array.of(1)))(
        tf.tensor2d([trustN]),
      );
      slope.dataSync().forEach((value, i) => {
        gradient[i] -= weight * value;
      });
    }
    trustN.forEach((_, i) => {
      const nudged = (by: number): number => expected(trustN.map((trust, j) => (j === i ? trust + by : trust)));
      expect(gradient[i]).toBeCloseTo((nudged(1e-5) - nudged(-1e-5)) / 2e-5, 4);
    });
    expect(gradient[1]).toBe(0);
  });
});

describe("a world in which nothing counts but the order", () => {
  const network = {
    kind: "credit-gru",
    embedding: 0,
    projection: 0,
    scalars: ladderWorld.spec.scalars,
    hidden: 8,
    heads: "two",
    rank: "decide",
    clamp: 6,
  } as const;
  const items = Array.from({ length: 12 }, (_, k) => ({ id: `ladder ${k}` }));
  const initial = initialWeights(network, createRng(2));

  const learn = (changes: Partial<TrainSettings>, folder: string) =>
    train({
      settings: {
        ...toySettings,
        steps: 60,
        starts: 16,
        learningRate: 0.02,
        attack: { kind: "none", adversaries: [0], onsets: ["first"] },
        validation: { every: 20, episodes: 40, score: "accuracy", patience: 0 },
        ...changes,
      },
      seed: 5,
      network,
      initial,
      environment: ladderWorld,
      reading: ladderReading,
      questions: { train: items.slice(0, 8), validation: items.slice(8) },
      backend,
      folder: join(root, folder),
      recipe: {},
      provenance: {},
      manifest: (step) => ({
        schema: "colloquy.policy/1",
        name: "ladder",
        environment: ladderWorld.spec.name,
        network,
        embedder: null,
        decision: { topology: "credit", budget: { in: null, out: null, depth: null }, minimum: 1, cut: 0.5 },
        training: { step },
      }),
      card: () => ({ summary: "A ladder." }),
      fresh: true,
      concurrency: 1,
      clock: { now: () => 0, elapsedMs: () => 0 },
    });

  it("is learned where the order is drawn, and not where it is not", async () => {
    const before = mean(
      await Promise.all(
        items.map(async (question, sample) => {
          const start = { question, seed: 9, sample, attack: { kind: "none", adversaries: 0, onset: "first" } };
          const policy = networkPolicy("before", createForward(network, initial), "threshold");
          return (await runEpisode(ladderWorld, policy, start)).utility;
        }),
      ),
    );
    const drawn = await learn({ order: true }, "drawn");
    const given = await learn({ order: false }, "given");
    expect(before).toBeLessThan(0.8);
    expect(drawn.validation!.accuracy).toBeGreaterThan(0.95);
    expect(given.validation!.accuracy).toBeLessThan(0.8);
  });

  it("is refused where no head ranks, or where a batch is used more than once", async () => {
    const reuse = { epochs: 3, clip: 0.2, minimumEffectiveShare: 0.5 };
    await expect(learn({ order: true, reuse }, "reused")).rejects.toMatchObject({ code: "train/order" });
  });
});
