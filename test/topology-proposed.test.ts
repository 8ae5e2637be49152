import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRng } from "../src/base/rng.ts";
import type { Budget, CommunicationGraph, DrawInput, EdgeArrays, Limit, Proposal } from "../src/contracts/topology.ts";
import { buildDag, graphFromEdges, topologies } from "../src/topology/index.ts";

const unlimited: Budget = { in: Infinity, out: Infinity, depth: Infinity };
const { draw } = topologies.proposed;

type Pair = [number, number];
const pairs = ({ sources, targets }: EdgeArrays): Pair[] => Array.from(sources, (source, e) => [source, targets[e]]);
const earlier = (graph: CommunicationGraph): Pair[] => (graph.temporal === undefined ? [] : pairs(graph.temporal));

const allPairs = (agents: number): Pair[] =>
  Array.from({ length: agents * agents }, (_, k): Pair => [Math.floor(k / agents), k % agents]).filter(
    ([i, j]) => i !== j,
  );

/** A draw for everybody with the wishes given. */
function input(agents: number, proposal: Proposal | undefined, given: Partial<DrawInput> = {}): DrawInput {
  const credits = new Array<number>(agents).fill(0);
  return {
    ...{ credits, participants: credits.map(() => 1), budget: unlimited, round: 2, rng: createRng(7), proposal },
    ...given,
  };
}

const limits = (agents: number): fc.Arbitrary<Limit> => {
  const one = fc.constantFrom(0, 1, 2, 3, Infinity);
  return fc.oneof(one, fc.array(one, { minLength: agents, maxLength: agents }));
};

/** Teams of up to nine with absent agents, budgets of every kind, and any share of all pairs proposed in any order. */
const draws = fc.integer({ min: 2, max: 9 }).chain((agents) =>
  fc.record({
    credits: fc.array(fc.integer({ min: -3, max: 3 }), { minLength: agents, maxLength: agents }),
    participants: fc.array(fc.constantFrom(0, 1, 1, 1), { minLength: agents, maxLength: agents }),
    budget: fc.record({
      in: limits(agents),
      out: limits(agents),
      depth: fc.constantFrom(1, 2, 3, 4, Infinity),
      edges: fc.constantFrom(undefined, 0, 4, 12, Infinity),
      temporal: fc.oneof(fc.constant(undefined), limits(agents)),
    }),
    round: fc.constant(2),
    rng: fc.integer().map(createRng),
    proposal: fc.record({
      edges: fc.shuffledSubarray(allPairs(agents)),
      temporal: fc.shuffledSubarray(allPairs(agents)),
    }),
  }),
);

const limitOf = (limit: Limit, agent: number): number => (typeof limit === "number" ? limit : limit[agent]);

/** Whether edges of one round keep to all that the rule promises, found out by other means. */
function fits(edges: readonly Pair[], { participants, budget }: DrawInput): boolean {
  if (edges.length > (budget.edges ?? Infinity)) return false;
  for (let agent = 0; agent < participants.length; agent++) {
    if (edges.filter(([, j]) => j === agent).length > limitOf(budget.in, agent)) return false;
    if (edges.filter(([i]) => i === agent).length > limitOf(budget.out, agent)) return false;
  }
  try {
    return graphFromEdges(edges, participants).levels <= budget.depth;
  } catch {
    return false;
  }
}

describe("the rule for proposed edges", () => {
  it("takes exactly what the stated rule takes: each wish in turn, if the whole graph with it fits", () => {
    fc.assert(
      fc.property(draws, (given) => {
        const taken: Pair[] = [];
        for (const edge of given.proposal.edges) if (fits([...taken, edge], given)) taken.push(edge);
        expect(pairs(draw(given))).toEqual(taken);
      }),
      { numRuns: 300 },
    );
  });

  it("leaves out no wish that would still fit the finished graph", () => {
    fc.assert(
      fc.property(draws, (given) => {
        const taken = pairs(draw(given));
        const isTaken = new Set(taken.map(String));
        for (const edge of given.proposal.edges) {
          if (!isTaken.has(String(edge))) expect(fits([...taken, edge], given)).toBe(false);
        }
      }),
    );
  });

  it("draws the same graph from the wishes it granted, whatever else was wished", () => {
    fc.assert(
      fc.property(draws, (given) => {
        const graph = draw(given);
        expect(draw({ ...given, proposal: { edges: pairs(graph), temporal: earlier(graph) } })).toEqual(graph);
        expect(draw({ ...given, credits: given.credits.map(() => 5), round: 3, rng: createRng(0) })).toEqual(graph);
      }),
    );
  });

  it("is the credit rule where its candidates are proposed in its order, under any budgets", () => {
    fc.assert(
      fc.property(draws, (given) => {
        const ranked = given.credits.map((_, i) => i).sort((i, j) => given.credits[j] - given.credits[i] || i - j);
        const edges = ranked.flatMap((i, r) => ranked.slice(r + 1).map((j): Pair => [i, j]));
        const graph = draw({ ...given, proposal: { edges } });
        const expected = buildDag(given);
        expect(pairs(graph)).toEqual(pairs(expected));
        expect(graph.level).toEqual(expected.level);
        expect([...graph.order].sort()).toEqual([...expected.order].sort());
      }),
    );
  });

  it("orders agents as a graph from given edges does", () => {
    fc.assert(
      fc.property(draws, (given) => {
        const graph = draw(given);
        expect({ ...graph, temporal: undefined }).toEqual(graphFromEdges(pairs(graph), given.participants));
      }),
    );
  });

  it("takes wishes through time in their order, within their own budget and what is left of the edges", () => {
    fc.assert(
      fc.property(draws, (given) => {
        const graph = draw(given);
        const now = new Set(pairs(graph).map(String));
        const taken: Pair[] = [];
        for (const [i, j] of given.proposal.temporal) {
          const heard = taken.filter(([, target]) => target === j).length;
          if (given.participants[i] + given.participants[j] < 2 || now.has(String([i, j]))) continue;
          if (heard >= limitOf(given.budget.temporal ?? 0, j)) continue;
          if (now.size + taken.length < (given.budget.edges ?? Infinity)) taken.push([i, j]);
        }
        expect(earlier(graph)).toEqual(taken);
      }),
    );
  });

  it("adds no edges through time that nobody proposed", () => {
    const budget = { ...unlimited, temporal: Infinity };
    expect(draw(input(4, { edges: [[0, 1]] }, { budget })).temporal).toBeUndefined();
    expect(earlier(draw(input(4, { edges: [], temporal: [[3, 1]] }, { budget })))).toEqual([[3, 1]]);
    expect(draw(input(4, { edges: [], temporal: [[3, 1]] })).temporal).toBeUndefined();
  });

  it("lets an edge that the round has no place for be heard through time", () => {
    const wishes: Proposal = {
      edges: [
        [0, 1],
        [1, 0],
      ],
      temporal: [
        [0, 1],
        [1, 0],
      ],
    };
    expect(earlier(draw(input(2, wishes, { budget: { ...unlimited, temporal: 1 } })))).toEqual([[1, 0]]);
  });

  it("draws no edges without a proposal", () => {
    const graph = draw(input(3, undefined, { budget: { ...unlimited, temporal: 2 } }));
    expect(graph.sources).toHaveLength(0);
    expect(graph.levels).toBe(1);
    expect(graph.temporal).toBeUndefined();
  });

  it("names an edge that no policy should propose", () => {
    for (const [edges, code, message] of [
      [[[1, 1]], "graph/self-edge", "1 → 1 joins an agent to itself"],
      [
        [
          [0, 1],
          [2, 1],
          [0, 1],
        ],
        "graph/duplicate-edge",
        "0 → 1 is given twice",
      ],
      [[[0, 3]], "graph/absent-agent", "0 → 3 names an agent that a team of 3 does not have"],
      [[[-1, 0]], "graph/absent-agent", "-1 → 0 names an agent"],
      [[[0.5, 0]], "graph/absent-agent", "0.5 → 0 names an agent"],
    ] as [Pair[], string, string][]) {
      for (const proposal of [{ edges }, { edges: [], temporal: edges }]) {
        expect(() => draw(input(3, proposal))).toThrow(
          expect.objectContaining({ code, message: expect.stringContaining(message), hint: expect.any(String) }),
        );
      }
    }
  });

  it.each([
    ["as they come", (edges: Pair[]) => edges, unlimited],
    ["shuffled", (edges: Pair[]) => createRng(4).shuffle(edges), unlimited],
    ["backwards, within three levels", (edges: Pair[]) => edges.reverse(), { ...unlimited, depth: 3 }],
    [
      "shuffled, within degrees of 30",
      (edges: Pair[]) => createRng(5).shuffle(edges),
      { ...unlimited, in: 30, out: 30 },
    ],
  ])("takes all 9,900 pairs of 100 agents in well under a second: %s", (_how, arrange, budget) => {
    const edges = arrange(allPairs(100));
    const started = performance.now();
    const graph = draw(input(100, { edges }, { budget }));
    expect(performance.now() - started).toBeLessThan(500);
    if (budget === unlimited) expect(graph.sources).toHaveLength(4950);
  });
});
