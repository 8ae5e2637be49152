import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { createRng } from "../src/base/rng.ts";
import type { Embedding } from "../src/contracts/agent.ts";
import type { Head, NetworkConfig, Observation, Weights } from "../src/contracts/policy.ts";
import { openBackend, type TensorFlow } from "../src/nets/backend.ts";
import { networks } from "../src/nets/index.ts";
import { initialWeights } from "../src/nets/initial-weights.ts";
import { countedDraws, logProbability, sampled, threshold } from "../src/runtime/decide.ts";
import { createForward } from "../src/runtime/forward.ts";

const rng = createRng("forward");
const config: NetworkConfig = {
  kind: "credit-gru",
  embedding: 60,
  projection: 8,
  scalars: ["a", "b", "c", "d"],
  hidden: 16,
  heads: "two",
  clamp: 6,
};

/** Weights larger than fresh ones, so that gates and clamp bend. */
const strong = (config: NetworkConfig): Weights =>
  Object.fromEntries(
    Object.entries(initialWeights(config, rng)).map(([name, { shape, data }]) => [
      name,
      { shape, data: data.map((w) => 4 * w) },
    ]),
  );

function embedding(D: number): Embedding | null {
  const kind = rng.integer(4);
  if (kind === 0) return null;
  if (kind === 1) return { dimension: D, values: Float32Array.from({ length: D }, () => rng.normal() / 8) };
  const indices = Int32Array.from(Array.from({ length: D }, (_, i) => i).filter(() => rng.uniform() < 0.2));
  return { dimension: D, indices, values: Float32Array.from(indices, () => rng.normal()) };
}

const observation = (config: NetworkConfig, agents: number, round: number, head: Head): Observation => ({
  agents,
  round,
  head,
  scalarsNS: Float32Array.from({ length: agents * config.scalars.length }, () => rng.normal()),
  embeddingsN: Array.from({ length: agents }, () => embedding(config.embedding)),
  eligibleN: new Uint8Array(agents).fill(1),
  forcedN: new Uint8Array(agents),
});

const variants: [string, Partial<NetworkConfig>][] = [
  ["two heads", {}],
  ["a shared head", { heads: "shared" }],
  ["no embeddings", { embedding: 0 }],
  ["no scalars", { scalars: [] }],
  ["a team context", { context: "team" }],
];

describe.each([
  ...variants.map(([what, changes]) => [what, { ...config, ...changes }] as const),
  ...variants.map(
    ([what, changes]) => [`no memory and ${what}`, { ...config, kind: "credit-mlp", ...changes }] as const,
  ),
  [
    "no memory and a number of units that is no multiple of three",
    { ...config, kind: "credit-mlp", hidden: 7 },
  ] as const,
])("the forward pass with %s", (_what, config: NetworkConfig) => {
  const { fromWeights, forward, dispose } = networks[config.kind];
  let tf: TensorFlow;
  beforeAll(async () => {
    tf = (await openBackend("wasm")).tf;
  });

  it("agrees with the network that was trained on 1,000 agents over three decisions, and decides the same", () => {
    const weights = strong(config);
    const network = fromWeights(tf, config, weights);
    const pass = createForward(config, weights);
    const agents = 5;
    const episodes = 200;
    const steps = 3;
    const rows = agents * episodes;
    const played = Array.from({ length: episodes }, () => {
      const hiddenNH = new Float32Array(agents * config.hidden);
      return Array.from({ length: steps }, (_, t) => {
        const seen = observation(config, agents, t + 2, "communicate");
        return { seen, ...pass.bothHeads(seen, hiddenNH) };
      });
    });
    const byStep = Array.from({ length: steps }, (_, t) => played.map((episode) => episode[t]));
    const expected = tf.tidy(() => {
      const { communicate, decide } = forward(network, {
        steps,
        rows,
        agents,
        embeddings: byStep.flat().flatMap(({ seen }) => seen.embeddingsN),
        scalarsTRS: Float32Array.from(byStep.flat().flatMap(({ seen }) => [...seen.scalarsNS])),
      });
      return { communicate: communicate.dataSync(), decide: decide.dataSync() };
    });
    dispose(network);
    const all = new Uint8Array(agents).fill(1);
    const none = new Uint8Array(agents);
    for (const [k, { communicateN, decideN }] of byStep.flat().entries()) {
      const trained = {
        communicate: expected.communicate.slice(k * agents, (k + 1) * agents),
        decide: expected.decide.slice(k * agents, (k + 1) * agents),
      };
      for (let i = 0; i < agents; i++) {
        expect(Math.abs(communicateN[i] - trained.communicate[i])).toBeLessThan(1e-5);
        expect(Math.abs(decideN[i] - trained.decide[i])).toBeLessThan(1e-5);
      }
      const settings = { minimum: 1, cut: 0.5 };
      expect(threshold(communicateN, all, none, settings)).toEqual(threshold(trained.communicate, all, none, settings));
    }
  });

  it("gives the head that the observation asks for, and moves the hidden state alike or not at all", () => {
    const pass = createForward(config, strong(config));
    const hidden = () => new Float32Array(3 * config.hidden);
    const [one, two, three] = [hidden(), hidden(), hidden()];
    const seen = observation(config, 3, 2, "communicate");
    const both = pass.bothHeads(seen, one);
    expect(pass.step(seen, two)).toEqual(both.communicateN);
    expect(pass.step({ ...seen, head: "decide" }, three)).toEqual(both.decideN);
    expect(two).toEqual(one);
    expect(three).toEqual(one);
    if (config.kind === "credit-gru") expect(pass.step(seen, two)).not.toEqual(both.communicateN);
    else {
      expect(two).toEqual(hidden());
      // Whoever was seen in between, of a larger or a smaller team, nothing of it is left.
      for (const agents of [8, 1]) {
        pass.step(observation(config, agents, 2, "communicate"), new Float32Array(agents * config.hidden));
      }
      expect(pass.step(seen, two)).toEqual(both.communicateN);
    }
  });
});

describe("the forward pass", () => {
  const pass = createForward(config, strong(config));
  const seen = observation(config, 2, 2, "communicate");
  const hidden = (): Float32Array => new Float32Array(2 * config.hidden);

  it("gives every agent the credit it would have alone", () => {
    const together = pass.step(seen, hidden());
    const alone = pass.step(
      {
        ...seen,
        agents: 1,
        scalarsNS: seen.scalarsNS.slice(4),
        embeddingsN: seen.embeddingsN.slice(1),
      },
      new Float32Array(config.hidden),
    );
    expect(alone[0]).toBe(together[1]);
  });

  it("refuses weights of another shape, naming tensor, expected and found", () => {
    const weights = { ...strong(config), "gru.weight_hh": { shape: [16, 48], data: new Float32Array(768) } };
    expect(() => createForward(config, weights)).toThrow(/"gru.weight_hh" should be \[48, 16\], found \[16, 48\]/);
    expect(() => createForward(config, {})).toThrow(/"embed.weight" should be \[8, 60\], found nothing/);
    const short = { ...strong(config), "decide.bias": { shape: [1], data: new Float32Array(0) } };
    expect(() => createForward(config, short)).toThrow(/"decide.bias"/);
    expect(() => createForward({ ...config, kind: "credit-mlp" }, strong(config))).toThrow(
      /"layer.weight" should be \[16, 12\], found nothing/,
    );
  });

  it.each([
    ["too few scalars", { scalarsNS: new Float32Array(7) }, /scalars should be 2 × 4, is 7/],
    ["too few embeddings", { embeddingsN: [null] }, /embeddings should be 2, is 1/],
    [
      "an embedding of another size",
      { embeddingsN: [null, { dimension: 9, values: new Float32Array(9) }] },
      /agent 1 should be 60, is 9/,
    ],
    [
      "an index out of range",
      { embeddingsN: [{ dimension: 60, indices: Int32Array.of(60), values: Float32Array.of(1) }, null] },
      /index of agent 0 should be below 60, is 60/,
    ],
    [
      "a feature that is no number",
      { scalarsNS: new Float32Array(8).fill(NaN, 5, 6) },
      /credit of agent 1 is not a number/,
    ],
  ])("refuses %s", (_what, change, message) => {
    expect(() => pass.step({ ...seen, ...change }, hidden())).toThrow(message);
  });

  it("refuses a hidden state of another team", () => {
    expect(() => pass.step(seen, new Float32Array(16))).toThrow(/hidden state should be 2 × 16, is 16/);
  });

  it("stands on nothing that a browser lacks: no node modules, no TensorFlow", () => {
    const visited = new Set<string>();
    const visit = (file: string): void => {
      if (visited.has(file)) return;
      visited.add(file);
      for (const [, from] of readFileSync(file, "utf8").matchAll(/from "([^"]+)"|import\("[^"]+"\)/g)) {
        expect(from, file).toMatch(/^\.|^pure-rand\//);
        if (from.startsWith(".")) visit(join(dirname(file), from));
      }
    };
    for (const start of ["runtime/forward", "runtime/decide", "checkpoint/safetensors", "checkpoint/manifest"]) {
      visit(new URL(`../src/${start}.ts`, import.meta.url).pathname);
    }
    expect(visited.size).toBeGreaterThan(8);
  });
});

/** Credits (with ties), eligibility, forced agents and a floor. */
const situation = fc.nat({ max: 5 }).chain((n) =>
  fc.record({
    creditsN: fc.array(fc.constantFrom(-2, -0.5, 0, 0.3, 1.5, 4), { minLength: n + 1, maxLength: n + 1 }),
    eligibleN: fc.array(fc.constantFrom<number>(0, 1, 1), { minLength: n + 1, maxLength: n + 1 }),
    forcedN: fc.array(fc.constantFrom<number>(0, 0, 1), { minLength: n + 1, maxLength: n + 1 }),
    minimum: fc.nat(3),
  }),
);

describe("deciding who takes part", () => {
  it("takes those at or above the cut", () => {
    const all = [1, 1, 1, 1];
    expect([...threshold([0, -0.1, 1, -3], all, [0, 0, 0, 0], { minimum: 1, cut: 0.5 })]).toEqual([1, 0, 1, 0]);
    expect([...threshold([0, -0.1, 1, -3], all, [0, 0, 0, 0], { minimum: 1, cut: 0.4 })]).toEqual([1, 1, 1, 0]);
  });

  it("takes the eligible agent with the highest credit when nobody is chosen, the lowest index on ties", () => {
    expect([...threshold([-1, -2, -1], [1, 1, 1], [0, 0, 0], { minimum: 1, cut: 0.5 })]).toEqual([1, 0, 0]);
    expect([...threshold([9, -2, -2], [0, 1, 1], [0, 0, 0], { minimum: 1, cut: 0.5 })]).toEqual([0, 1, 0]);
  });

  it("obeys eligibility, forced agents and the floor, in both modes", () => {
    fc.assert(
      fc.property(situation, fc.integer(), ({ creditsN, eligibleN, forcedN, minimum }, seed) => {
        const eligible = eligibleN.reduce((a, b) => a + b, 0);
        for (const z of [
          threshold(creditsN, eligibleN, forcedN, { minimum, cut: 0.5 }),
          sampled(creditsN, eligibleN, forcedN, { minimum }, createRng(seed)).participantsN,
        ]) {
          expect(z.reduce((a, b) => a + b, 0)).toBeGreaterThanOrEqual(Math.min(minimum, eligible));
          for (let i = 0; i < z.length; i++) {
            if (!eligibleN[i]) expect(z[i]).toBe(0);
            else if (forcedN[i]) expect(z[i]).toBe(1);
          }
        }
      }),
    );
  });

  it("gives all participations that can come about probabilities that add up to 1", () => {
    fc.assert(
      fc.property(situation, ({ creditsN, eligibleN, forcedN, minimum }) => {
        const n = creditsN.length;
        const floor = Math.min(
          minimum,
          eligibleN.reduce((a, b) => a + b, 0),
        );
        let total = 0;
        for (let code = 0; code < 2 ** n; code++) {
          const z = Array.from({ length: n }, (_, i) => (code >> i) & 1);
          const possible = z.every((zi, i) => (eligibleN[i] ? zi === 1 || !forcedN[i] : zi === 0));
          if (!possible || z.reduce((a, b) => a + b, 0) < floor) continue;
          total += Math.exp(logProbability(creditsN, z, countedDraws(creditsN, eligibleN, forcedN, z, minimum)));
        }
        expect(total).toBeCloseTo(1, 10);
      }),
    );
  });

  it("draws each participation as often as its log-probability says", () => {
    const creditsN = [-1, 0.2, -0.5, 0.2];
    const [eligibleN, forcedN] = [
      [1, 1, 1, 1],
      [0, 0, 0, 0],
    ];
    const draws = 20_000;
    const seen = new Map<string, { count: number; p: number }>();
    const stream = createRng(11);
    for (let k = 0; k < draws; k++) {
      const { participantsN, logProbability } = sampled(creditsN, eligibleN, forcedN, { minimum: 2 }, stream);
      const entry = seen.get(participantsN.join()) ?? { count: 0, p: Math.exp(logProbability) };
      seen.set(participantsN.join(), { ...entry, count: entry.count + 1 });
    }
    for (const { count, p } of seen.values()) {
      expect(Math.abs(count / draws - p)).toBeLessThan(4 * Math.sqrt((p * (1 - p)) / draws));
    }
  });

  it("stays finite at credits of ±200", () => {
    const { logProbability: p } = sampled([200, -200], [1, 1], [0, 0], { minimum: 1 }, createRng(1));
    expect(p).toBeCloseTo(0, 10);
    expect(logProbability([200, -200], [0, 1], [1, 1])).toBe(-400);
  });

  it("draws the same from the same stream", () => {
    const draw = () => sampled([0, 0, 0, 0], [1, 1, 1, 1], [0, 0, 0, 0], { minimum: 1 }, createRng("x"));
    expect(draw()).toEqual(draw());
  });
});
