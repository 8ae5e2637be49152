import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRng } from "../src/base/rng.ts";
import type { Budget, CommunicationGraph, DrawInput, EdgeArrays } from "../src/contracts/topology.ts";
import { budgetOfRound } from "../src/topology/budget.ts";
import {
  buildDag,
  drawDot,
  drawMermaid,
  hearing,
  neighbours,
  type TopologyName,
  topologies,
} from "../src/topology/index.ts";

const unlimited: Budget = { in: Infinity, out: Infinity, depth: Infinity };

const pairs = ({ sources, targets }: EdgeArrays): [number, number][] =>
  Array.from(sources, (source, e) => [source, targets[e]]);
const earlier = (graph: CommunicationGraph): [number, number][] =>
  graph.temporal === undefined ? [] : pairs(graph.temporal);

/** A draw with everybody present and rising credits unless told otherwise. */
function input(agents: number, given: Partial<DrawInput> = {}): DrawInput {
  const credits = Array.from({ length: agents }, (_, i) => i);
  return { credits, participants: credits.map(() => 1), budget: unlimited, round: 2, rng: createRng(7), ...given };
}

const limit = fc.constantFrom(0, 1, 2, 3, Infinity);
const draws: fc.Arbitrary<DrawInput> = fc.integer({ min: 0, max: 12 }).chain((agents) => {
  const each = <T>(one: fc.Arbitrary<T>) => fc.array(one, { minLength: agents, maxLength: agents });
  return fc.record({
    credits: each(fc.double({ noNaN: true })),
    participants: each(fc.constantFrom(0, 1, 1, 1)),
    budget: fc.record({
      in: limit,
      out: limit,
      depth: fc.constantFrom(1, 2, Infinity),
      edges: fc.constantFrom(0, 3, 10, 40, Infinity),
      temporal: fc.oneof(limit, each(limit)),
    }),
    round: fc.constant(2),
    rng: fc.integer().map(createRng),
  });
});

/** The stated rule, word for word. */
function naiveTemporal(plain: CommunicationGraph, { edges = Infinity, temporal = 0 }: Budget): [number, number][] {
  const now = new Set(pairs(plain).map(String));
  const taken: [number, number][] = [];
  for (const j of plain.order) {
    let heard = 0;
    for (const i of plain.order) {
      if (i === j || now.has(String([i, j]))) continue;
      if (heard >= (typeof temporal === "number" ? temporal : temporal[j])) continue;
      if (plain.sources.length + taken.length >= edges) continue;
      taken.push([i, j]);
      heard++;
    }
  }
  return taken;
}

const adding = (Object.keys(topologies) as TopologyName[]).filter((name) => name !== "proposed");

describe.each(adding)("edges through time behind the rule %s", (name) => {
  const { draw } = topologies[name];

  it("are exactly those of the stated rule, and leave those of the same round as they were", () => {
    fc.assert(
      fc.property(draws, (given) => {
        const plain = draw({ ...given, budget: { ...given.budget, temporal: 0 } });
        const graph = draw(given);
        expect(plain.temporal).toBeUndefined();
        expect(earlier(graph)).toEqual(naiveTemporal(plain, given.budget));
        expect({ ...graph, temporal: undefined }).toEqual({ ...plain, temporal: undefined });
      }),
    );
  });

  it("fill budgets of 3 for 100,000 agents without looking at all pairs", () => {
    const participants = new Uint8Array(100_000).fill(1);
    const credits = Float32Array.from(participants, (_, i) => (i * 7919) % 100_003);
    const started = performance.now();
    const graph = draw(input(0, { credits, participants, budget: { ...unlimited, in: 3, out: 3, temporal: 3 } }));
    expect(performance.now() - started).toBeLessThan(2000);
    expect(graph.temporal?.sources.length ?? 0).toBe(name === "solo" ? 0 : 300_000);
  });
});

describe("edges through time", () => {
  it("make `none` the simultaneous debate: everyone hears what all others said a round before, in one level", () => {
    const graph = topologies.none.draw(input(5, { budget: { ...unlimited, temporal: Infinity } }));
    expect(graph.sources).toHaveLength(0);
    expect(graph.levels).toBe(1);
    expect(earlier(graph)).toEqual(
      [0, 1, 2, 3, 4].flatMap((j) => [0, 1, 2, 3, 4].filter((i) => i !== j).map((i) => [i, j])),
    );
  });

  it("come by falling credit under the credit rule, and run against credit as well", () => {
    const graph = topologies.credit.draw(input(3, { budget: { ...unlimited, temporal: 1 } }));
    // Agent 2 has the highest credit; the others hear it already.
    expect(pairs(graph)).toEqual([
      [2, 1],
      [2, 0],
      [1, 0],
    ]);
    expect(earlier(graph)).toEqual([
      [1, 2],
      [0, 1],
    ]);
  });

  it("get what is left of the edge budget once the round's own edges are taken", () => {
    const drawn = (edges: number) => topologies.chain.draw(input(4, { budget: { ...unlimited, edges, temporal: 2 } }));
    const counts = [0, 2, 3, 4, 7, 100].map((edges) => [drawn(edges).sources.length, earlier(drawn(edges)).length]);
    expect(counts).toEqual([
      [0, 0],
      [2, 0],
      [3, 0],
      [3, 1],
      [3, 4],
      [3, 8],
    ]);
  });

  it("are not counted by the degree budgets of the round", () => {
    const budget = { ...unlimited, in: 0, out: 0, temporal: Infinity };
    expect(earlier(topologies.credit.draw(input(4, { budget })))).toHaveLength(12);
  });

  it("are refused where they would not fit in memory", () => {
    const participants = new Uint8Array(20_000).fill(1);
    const budget = { ...unlimited, temporal: Infinity };
    expect(() => topologies.none.draw(input(0, { participants, budget }))).toThrow(
      expect.objectContaining({ code: "graph/too-large" }),
    );
  });

  it("are not drawn by the bare construction, which is about one round", () => {
    expect(buildDag(input(4, { budget: { ...unlimited, in: 1, temporal: 3 } })).temporal).toBeUndefined();
  });

  it("are heard behind those of the same round", () => {
    fc.assert(
      fc.property(draws, (given) => {
        const graph = topologies.credit.draw(given);
        const now = neighbours(graph);
        const all = hearing(graph);
        for (let j = 0; j < graph.agents; j++) {
          expect([...all.ids.subarray(all.offsets[j], all.offsets[j + 1])]).toEqual([
            ...now.ids.subarray(now.offsets[j], now.offsets[j + 1]),
            ...earlier(graph)
              .filter(([, target]) => target === j)
              .map(([source]) => source),
          ]);
        }
      }),
    );
  });

  it("are dashed in drawings", () => {
    const graph = topologies.chain.draw(input(2, { budget: { ...unlimited, temporal: 1 } }));
    expect(drawMermaid(graph)).toContain("  a0 --> a1\n  a1 -.-> a0\n");
    expect(drawDot(graph)).toContain("  a0 -> a1\n  a1 -> a0 [style=dashed, constraint=false]\n");
  });
});

describe("the budget of a round", () => {
  it("is no limit where a recipe says null or nothing, and no edges through time where it says nothing", () => {
    expect(budgetOfRound({ in: 2, out: null, depth: 3 }, 2)).toEqual({
      in: 2,
      out: Infinity,
      depth: 3,
      edges: Infinity,
      temporal: 0,
    });
    expect(budgetOfRound({ in: 0, out: null, depth: 1, edges: 4, temporal: null }, 9)).toMatchObject({
      edges: 4,
      temporal: Infinity,
    });
  });

  it("follows a list from round 2 on; its last entry stands for all later rounds", () => {
    const plain = { in: [3, null, 1], out: 2, depth: [2], edges: [0, 5], temporal: [1, 0] };
    const found = [2, 3, 4, 5].map((round) => budgetOfRound(plain, round));
    expect(found.map((budget) => budget.in)).toEqual([3, Infinity, 1, 1]);
    expect(found.map((budget) => budget.depth)).toEqual([2, 2, 2, 2]);
    expect(found.map((budget) => budget.edges)).toEqual([0, 5, 5, 5]);
    expect(found.map((budget) => budget.temporal)).toEqual([1, 0, 0, 0]);
  });
});
