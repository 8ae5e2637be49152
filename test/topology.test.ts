import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRng } from "../src/base/rng.ts";
import type { Budget, CommunicationGraph, DrawInput, Limit } from "../src/contracts/topology.ts";
import { createEdgeList } from "../src/topology/edge-list.ts";
import { buildDag, measureGraph, neighbours, type TopologyName, topologies } from "../src/topology/index.ts";

const unlimited: Budget = { in: Infinity, out: Infinity, depth: Infinity };

/** A draw with everybody present and falling credits unless told otherwise. */
function input(agents: number, given: Partial<DrawInput> = {}): DrawInput {
  const credits = Array.from({ length: agents }, (_, i) => agents - i);
  return { credits, participants: credits.map(() => 1), budget: unlimited, round: 2, rng: createRng(7), ...given };
}

const pairs = (graph: Pick<CommunicationGraph, "sources" | "targets">): number[][] =>
  Array.from(graph.sources, (source, e) => [source, graph.targets[e]]);

const limitOf = (limit: Limit, agent: number): number => (typeof limit === "number" ? limit : limit[agent]);

const limits = (agents: number): fc.Arbitrary<Limit> => {
  const one = fc.constantFrom(0, 1, 2, 3, Infinity);
  return fc.oneof(one, fc.array(one, { minLength: agents, maxLength: agents }));
};

/** Some ordered pairs of different agents, each once, in any order. */
const wishes = (agents: number): fc.Arbitrary<[number, number][]> =>
  fc.uniqueArray(
    fc.tuple(fc.nat(Math.max(0, agents - 1)), fc.nat(Math.max(0, agents - 1))).filter(([i, j]) => i !== j),
    { selector: String, maxLength: agents < 2 ? 0 : 40 },
  );

/** Small teams with many ties, both zeros, infinities, absent agents, budgets of every kind and wishes of any kind. */
const draws: fc.Arbitrary<DrawInput> = fc.integer({ min: 0, max: 14 }).chain((agents) =>
  fc.record({
    credits: fc.array(fc.oneof(fc.constantFrom(-Infinity, -1, -0, 0, 0.5, Infinity), fc.double({ noNaN: true })), {
      minLength: agents,
      maxLength: agents,
    }),
    participants: fc.array(fc.constantFrom(0, 1, 1, 1), { minLength: agents, maxLength: agents }),
    budget: fc.record({
      in: limits(agents),
      out: limits(agents),
      depth: fc.constantFrom(1, 2, 3, Infinity),
      edges: fc.constantFrom(undefined, 0, 1, 5, 20, Infinity),
      temporal: fc.oneof(fc.constant(undefined), limits(agents)),
    }),
    proposal: agents < 2 ? fc.constant(undefined) : fc.record({ edges: wishes(agents), temporal: wishes(agents) }),
    round: fc.integer({ min: 2, max: 5 }),
    rng: fc.integer().map(createRng),
  }),
);

/** The stated rule, word for word: all pairs in order, each taken if the whole graph with it stays within all budgets. */
function naiveDag({ credits, participants, budget }: DrawInput): number[][] {
  const ranked = Array.from(credits, (_, i) => i)
    .filter((i) => participants[i] === 1)
    .sort((i, j) => (credits[i] > credits[j] ? -1 : credits[i] < credits[j] ? 1 : i - j));
  const longestPath = (edges: number[][]): number => {
    const level = new Map(ranked.map((i) => [i, 1]));
    for (const _ of ranked) {
      for (const [i, j] of edges) level.set(j, Math.max(level.get(j) as number, (level.get(i) as number) + 1));
    }
    return Math.max(0, ...level.values());
  };
  const taken: number[][] = [];
  for (const [r, i] of ranked.entries()) {
    for (const j of ranked.slice(r + 1)) {
      if (taken.length >= (budget.edges ?? Infinity)) continue;
      if (taken.filter(([source]) => source === i).length >= limitOf(budget.out, i)) continue;
      if (taken.filter(([, target]) => target === j).length >= limitOf(budget.in, j)) continue;
      if (longestPath([...taken, [i, j]]) > budget.depth) continue;
      taken.push([i, j]);
    }
  }
  return taken;
}

/** What the contract of a communication graph says, checked from its fields alone. */
function expectWellFormed(graph: CommunicationGraph, { participants, budget }: DrawInput): void {
  const { agents, order, sources, targets, level, levels } = graph;
  expect(agents).toBe(participants.length);
  expect(new Set(order).size).toBe(order.length);
  for (const agent of order) expect(participants[agent]).toBe(1);

  const position = new Map(Array.from(order, (agent, p) => [agent, p]));
  const heardBy = new Array<number>(agents).fill(0);
  const spokenTo = new Array<number>(agents).fill(0);
  const expectedLevel: number[] = Array.from({ length: agents }, (_, i) => (position.has(i) ? 1 : 0));
  expect(sources.length).toBe(targets.length);
  for (const [source, target] of pairs(graph)) {
    expect(position.get(source)).toBeLessThan(position.get(target) as number);
    spokenTo[source]++;
    heardBy[target]++;
  }
  for (const agent of order) {
    for (const [source, target] of pairs(graph)) {
      if (target === agent) expectedLevel[agent] = Math.max(expectedLevel[agent], expectedLevel[source] + 1);
    }
  }
  const temporal = graph.temporal === undefined ? [] : pairs(graph.temporal);
  if (graph.temporal !== undefined) expect(temporal.length).toBeGreaterThan(0);
  for (const [source, target] of temporal) {
    expect(source).not.toBe(target);
    expect(participants[source] + participants[target]).toBe(2);
  }
  expect(new Set([...pairs(graph), ...temporal].map(String)).size).toBe(sources.length + temporal.length);
  expect(sources.length + temporal.length).toBeLessThanOrEqual(budget.edges ?? Infinity);
  for (let i = 0; i < agents; i++) {
    expect(heardBy[i]).toBeLessThanOrEqual(limitOf(budget.in, i));
    expect(spokenTo[i]).toBeLessThanOrEqual(limitOf(budget.out, i));
    const earlier = temporal.filter(([, target]) => target === i).length;
    expect(earlier).toBeLessThanOrEqual(limitOf(budget.temporal ?? 0, i));
  }
  expect(Array.from(level)).toEqual(expectedLevel);
  expect(levels).toBe(Math.max(0, ...expectedLevel));
  expect(levels).toBeLessThanOrEqual(budget.depth);
}

const names = Object.keys(topologies) as TopologyName[];

describe.each(names)("topology rule %s", (name) => {
  const { draw, summary } = topologies[name];

  it("draws acyclic graphs without self-edges or duplicates that keep to every budget", () => {
    fc.assert(fc.property(draws, (given) => expectWellFormed(draw(given), given)));
  });

  it("draws the same graph from the same input, and does not change the input", () => {
    fc.assert(
      fc.property(draws, (given) => {
        const before = structuredClone({ ...given, rng: null });
        expect(draw(given)).toEqual(draw(given));
        expect({ ...given, rng: null }).toEqual(before);
      }),
    );
  });

  it("keeps everyone who takes part, but for solo", () => {
    fc.assert(
      fc.property(draws, (given) => {
        const present = Array.from(given.participants).filter((z) => z === 1).length;
        expect(draw(given).order.length).toBe(name === "solo" ? Math.min(1, present) : present);
      }),
    );
  });

  it("draws no edges at depth 1, without listeners, without speakers and without any edge to spend", () => {
    for (const budget of [
      { ...unlimited, edges: 0, temporal: 3 },
      { ...unlimited, depth: 1 },
      { ...unlimited, in: 0 },
      { ...unlimited, out: [0, 0, 0, 0, 0] },
    ]) {
      const graph = draw(input(5, { budget, proposal: { edges: [[0, 1]], temporal: [[1, 0]] } }));
      expect(pairs(graph)).toEqual([]);
      expect(graph.temporal).toBeUndefined();
    }
  });

  it("names a budget that makes no sense, with its value", () => {
    for (const [budget, message] of [
      [{ ...unlimited, in: -1 }, "the in-degree budget is -1"],
      [{ ...unlimited, out: 1.5 }, "the out-degree budget is 1.5"],
      [{ ...unlimited, in: [1, Number.NaN] }, "the in-degree budget of agent 1 is NaN"],
      [{ ...unlimited, out: [-Infinity, 2] }, "the out-degree budget of agent 0 is -Infinity"],
      [{ ...unlimited, out: [1] }, "the out-degree budget has 1 entries for 2 agents"],
      [{ ...unlimited, depth: 0 }, "the depth budget is 0"],
      [{ ...unlimited, depth: 2.5 }, "the depth budget is 2.5"],
      [{ ...unlimited, edges: -1 }, "the edge budget is -1"],
      [{ ...unlimited, temporal: 0.5 }, "the budget through time is 0.5"],
      [{ ...unlimited, temporal: [0, -2] }, "the budget through time of agent 1 is -2"],
      [{ ...unlimited, temporal: [0] }, "the budget through time has 1 entries for 2 agents"],
    ] as const) {
      expect(() => draw(input(2, { budget }))).toThrow(
        expect.objectContaining({
          code: expect.stringMatching(/^graph\/(budget|lengths)$/),
          message,
          hint: expect.any(String),
        }),
      );
    }
  });

  it("refuses participation other than 0 and 1", () => {
    expect(() => draw(input(2, { participants: [1, 0.5] }))).toThrow(
      expect.objectContaining({ code: "graph/participant" }),
    );
  });

  it("has a summary of one line", () => expect(summary).toMatch(/^.{10,100}$/));
});

describe("the credit rule", () => {
  it("takes exactly the edges of the stated rule", () => {
    fc.assert(
      fc.property(draws, (given) => {
        expect(pairs(buildDag(given))).toEqual(naiveDag(given));
      }),
      { numRuns: 300 },
    );
  });

  it("runs edges only from higher to lower credit, or lower to higher index among equals", () => {
    fc.assert(
      fc.property(draws, (given) => {
        for (const [i, j] of pairs(buildDag(given))) {
          expect(given.credits[i] > given.credits[j] || (given.credits[i] === given.credits[j] && i < j)).toBe(true);
        }
      }),
    );
  });

  it("draws the complete DAG without budgets", () => {
    fc.assert(
      fc.property(draws, (given) => {
        const graph = buildDag({ ...given, budget: unlimited });
        const n = graph.order.length;
        expect(2 * graph.sources.length).toBe(n * Math.max(0, n - 1));
        expect(graph.levels).toBe(n);
      }),
    );
  });

  it("follows the agents when they are permuted, where no credits tie", () => {
    fc.assert(
      fc.property(draws, fc.integer(), (given, seed) => {
        const agents = given.credits.length;
        const credits = Array.from({ length: agents }, (_, i) => Math.sin(i + seed));
        const to = createRng(seed).shuffle(credits.map((_, i) => i));
        const moved = <T>(values: ArrayLike<T>): T[] => {
          const result: T[] = [];
          to.forEach((place, i) => {
            result[place] = values[i];
          });
          return result;
        };
        const move = (limit: Limit): Limit => (typeof limit === "number" ? limit : moved(limit));
        const budget = { ...given.budget, in: move(given.budget.in), out: move(given.budget.out) };
        const permuted = buildDag({
          ...given,
          credits: moved(credits),
          participants: moved(given.participants),
          budget,
        });
        expect(pairs(permuted)).toEqual(pairs(buildDag({ ...given, credits })).map(([i, j]) => [to[i], to[j]]));
      }),
    );
  });

  it("ranks 0 and −0, and equal infinities, by index", () => {
    expect(Array.from(buildDag(input(3, { credits: [-0, 0, -0] })).order)).toEqual([0, 1, 2]);
    expect(Array.from(buildDag(input(4, { credits: [-Infinity, Infinity, -Infinity, Infinity] })).order)).toEqual([
      1, 3, 0, 2,
    ]);
  });

  it("refuses a credit that is not a number, and a missing one", () => {
    expect(() => buildDag(input(2, { credits: [1, Number.NaN] }))).toThrow("the credit of agent 1 is not a number");
    expect(() => buildDag(input(2, { credits: [1] }))).toThrow("there are 1 credits for 2 agents");
  });

  it("refuses more edges than would fit in memory", () => {
    const edges = createEdgeList(4, 20);
    for (let e = 0; e < 20; e++) edges.add(e, e + 1);
    expect(() => edges.add(20, 21)).toThrow(expect.objectContaining({ code: "graph/too-large" }));
    expect(Array.from(edges.arrays().targets)).toEqual(Array.from({ length: 20 }, (_, e) => e + 1));
  });

  it("fills budgets of 3 for 100,000 agents without looking at all pairs", () => {
    const rng = createRng(3);
    const credits = Float32Array.from({ length: 100_000 }, () => rng.normal());
    const participants = new Uint8Array(100_000).fill(1);
    const budget = { in: 3, out: 3, depth: Infinity };
    const started = performance.now();
    const graph = buildDag(input(0, { credits, participants, budget }));
    // 5·10⁹ pairs would take seconds; the benchmark says how few milliseconds it is.
    expect(performance.now() - started).toBeLessThan(1000);
    expect(graph.sources.length).toBe(3 * 100_000 - 6);
  });
});

describe("the fixed rules", () => {
  const edgesOf = (name: TopologyName, agents: number, given: Partial<DrawInput> = {}): number[][] =>
    pairs(topologies[name].draw(input(agents, given)));

  it("draw the shapes they are named for", () => {
    expect(edgesOf("none", 3)).toEqual([]);
    expect(edgesOf("solo", 3)).toEqual([]);
    expect(edgesOf("chain", 4)).toEqual([
      [0, 1],
      [1, 2],
      [2, 3],
    ]);
    expect(edgesOf("star", 4)).toEqual([
      [0, 1],
      [0, 2],
      [0, 3],
    ]);
    expect(edgesOf("tree", 6)).toEqual([
      [0, 1],
      [0, 2],
      [1, 3],
      [1, 4],
      [2, 5],
    ]);
    expect(edgesOf("layered", 5)).toEqual([
      [0, 3],
      [0, 4],
      [1, 3],
      [1, 4],
      [2, 3],
      [2, 4],
    ]);
    expect(edgesOf("complete", 3)).toEqual([
      [0, 1],
      [0, 2],
      [1, 2],
    ]);
    expect(edgesOf("random", 3).sort()).toEqual([
      [0, 1],
      [0, 2],
      [1, 2],
    ]);
  });

  it("stand on those who take part and pay no heed to credits", () => {
    const given = { participants: [0, 1, 0, 1, 1], credits: [5, 1, 4, 2, 3] };
    expect(edgesOf("chain", 5, given)).toEqual([
      [1, 3],
      [3, 4],
    ]);
    expect(edgesOf("star", 5, given)).toEqual([
      [1, 3],
      [1, 4],
    ]);
    expect(Array.from(topologies.solo.draw(input(5, given)).level)).toEqual([0, 1, 0, 0, 0]);
  });

  it("take their edges in order while the budgets allow", () => {
    expect(edgesOf("star", 4, { budget: { ...unlimited, out: 2 } })).toEqual([
      [0, 1],
      [0, 2],
    ]);
    expect(edgesOf("chain", 5, { budget: { ...unlimited, depth: 2 } })).toEqual([
      [0, 1],
      [2, 3],
    ]);
    expect(edgesOf("complete", 4, { budget: { ...unlimited, in: 1 } })).toEqual([
      [0, 1],
      [0, 2],
      [0, 3],
    ]);
    expect(edgesOf("chain", 5, { budget: { ...unlimited, edges: 2 } })).toEqual([
      [0, 1],
      [1, 2],
    ]);
    expect(edgesOf("random", 5, { budget: { ...unlimited, edges: 7 } })).toHaveLength(7);
  });

  it("let a random listener hear any earlier agent equally often", () => {
    const heardN = [0, 0, 0, 0];
    for (let seed = 0; seed < 4000; seed++) {
      const budget = { ...unlimited, in: [0, 0, 0, 0, 1] };
      heardN[topologies.random.draw(input(5, { budget, rng: createRng(seed) })).sources[0]]++;
    }
    // 1,000 expected each; 4.5 standard deviations are 123.
    for (const heard of heardN) expect(Math.abs(heard - 1000)).toBeLessThan(123);
  });

  it("draw another random graph in another round or from another stream", () => {
    const given = { budget: { ...unlimited, in: 2 } };
    for (const name of ["random", "random-order"] as const) {
      expect(edgesOf(name, 12, { ...given, round: 3 })).not.toEqual(edgesOf(name, 12, given));
      expect(edgesOf(name, 12, { ...given, rng: createRng(8) })).not.toEqual(edgesOf(name, 12, given));
    }
  });

  it("give random-order as many edges as the credit rule under budgets equal for all", () => {
    const equal = draws.filter(({ budget }) => typeof budget.in === "number" && typeof budget.out === "number");
    fc.assert(
      fc.property(equal, (given) => {
        expect(topologies["random-order"].draw(given).sources.length).toBe(buildDag(given).sources.length);
      }),
    );
  });

  it("look for a random order with as many edges where only one agent may speak", () => {
    const budget = { ...unlimited, out: [Infinity, 0, 0, 0] };
    let reached = 0;
    for (let seed = 0; seed < 40; seed++) {
      if (edgesOf("random-order", 4, { budget, rng: createRng(seed) }).length === 3) reached++;
    }
    // One order in four puts that agent first.
    expect(reached).toBeGreaterThan(35);
  });

  it("never give random-order more edges than the credit rule", () => {
    fc.assert(
      fc.property(draws, (given) => {
        expect(topologies["random-order"].draw(given).sources.length).toBeLessThanOrEqual(
          buildDag(given).sources.length,
        );
      }),
    );
  });
});

describe("measures of a graph", () => {
  it("know the chain, the complete DAG and the empty graph", () => {
    expect(measureGraph(topologies.chain.draw(input(4)))).toEqual({
      participants: 4,
      edges: 3,
      temporal: 0,
      levels: 4,
      density: 0.5,
      meanInDegree: 0.75,
      reach: 1,
    });
    expect(measureGraph(topologies.complete.draw(input(70)))).toMatchObject({ density: 1, reach: 1, levels: 70 });
    expect(measureGraph(topologies.star.draw(input(5)))).toMatchObject({ density: 0.4, reach: 0.4 });
    const debate = topologies.none.draw(input(4, { budget: { ...unlimited, temporal: Infinity } }));
    expect(measureGraph(debate)).toMatchObject({ edges: 0, temporal: 12, levels: 1, density: 0, reach: 0 });
    const nobody = { participants: 0, edges: 0, temporal: 0, levels: 0, density: 0, meanInDegree: 0, reach: 0 };
    expect(measureGraph(buildDag(input(3, { participants: [0, 0, 0] })))).toEqual(nobody);
  });

  it("count reach as a search from every agent does, beyond a machine word of agents", () => {
    const teams = fc.record({
      agents: fc.integer({ min: 2, max: 100 }),
      in: fc.integer({ min: 1, max: 2 }),
      seed: fc.nat(),
    });
    fc.assert(
      fc.property(teams, ({ agents, in: most, seed }) => {
        const budget = { in: most, out: 3, depth: 8 };
        const graph = topologies.random.draw(input(agents, { budget, rng: createRng(seed) }));
        const { offsets, ids } = neighbours(graph);
        let joined = 0;
        for (let agent = 0; agent < agents; agent++) {
          const heard = new Set<number>();
          const search = [agent];
          for (let next = search.pop(); next !== undefined; next = search.pop()) {
            for (const parent of ids.subarray(offsets[next], offsets[next + 1])) {
              if (!heard.has(parent)) search.push(parent);
              heard.add(parent);
            }
          }
          joined += heard.size;
        }
        expect(measureGraph(graph).reach).toBeCloseTo(joined / ((agents * (agents - 1)) / 2), 12);
      }),
    );
  });

  it("leave reach out where counting it would take long", () => {
    const participants = new Uint8Array(100_000).fill(1);
    const graph = topologies.chain.draw(input(0, { participants }));
    expect(measureGraph(graph)).toMatchObject({ edges: 99_999, reach: null });
  });
});
