import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRng } from "../src/base/rng.ts";
import { graphFromEdges, neighbours } from "../src/topology/index.ts";

const everyone = (agents: number): number[] => new Array<number>(agents).fill(1);

/** A random DAG: edges run forward along a hidden random order and are listed in random order. */
const dags = fc
  .record({
    agents: fc.integer({ min: 1, max: 25 }),
    density: fc.double({ min: 0, max: 0.5, noNaN: true }),
    seed: fc.nat(),
  })
  .map(({ agents, density, seed }) => {
    const rng = createRng(seed);
    const hidden = rng.shuffle(Array.from({ length: agents }, (_, i) => i));
    const edges: (readonly [number, number])[] = [];
    for (let p = 0; p < agents; p++) {
      for (let q = p + 1; q < agents; q++) if (rng.uniform() < density) edges.push([hidden[p], hidden[q]]);
    }
    return { agents, edges: rng.shuffle(edges), rng };
  });

describe("a graph from given edges", () => {
  it("goes on with the lowest index that can run next", () => {
    fc.assert(
      fc.property(dags, ({ agents, edges }) => {
        const expected: number[] = [];
        while (expected.length < agents) {
          for (let i = 0; i < agents; i++) {
            const waits = edges.some(([source, target]) => target === i && !expected.includes(source));
            if (expected.includes(i) || waits) continue;
            expected.push(i);
            break;
          }
        }
        expect(Array.from(graphFromEdges(edges, everyone(agents)).order)).toEqual(expected);
      }),
    );
  });

  it("gives every agent one level more than the highest it hears", () => {
    fc.assert(
      fc.property(dags, ({ agents, edges }) => {
        const { level, levels } = graphFromEdges(edges, everyone(agents));
        for (let i = 0; i < agents; i++) {
          const heard = edges.filter(([, target]) => target === i).map(([source]) => level[source]);
          expect(level[i]).toBe(1 + Math.max(0, ...heard));
        }
        expect(levels).toBe(Math.max(...level));
      }),
    );
  });

  it("does not depend on the order in which the edges are listed", () => {
    fc.assert(
      fc.property(dags, ({ agents, edges, rng }) => {
        const graph = graphFromEdges(edges, everyone(agents));
        const again = graphFromEdges(rng.shuffle(edges), everyone(agents));
        expect([again.order, again.level]).toEqual([graph.order, graph.level]);
      }),
    );
  });

  it("takes pairs and arrays alike and keeps the edges as they are listed", () => {
    const sources = Int32Array.of(2, 0, 2);
    const targets = Int32Array.of(3, 2, 1);
    const graph = graphFromEdges({ sources, targets }, [1, 1, 1, 1, 0]);
    expect(graph).toEqual(
      graphFromEdges(
        [
          [2, 3],
          [0, 2],
          [2, 1],
        ],
        [1, 1, 1, 1, 0],
      ),
    );
    expect(graph).toEqual({
      agents: 5,
      order: Int32Array.of(0, 2, 1, 3),
      sources,
      targets,
      level: Int32Array.of(1, 3, 2, 3, 0),
      levels: 3,
    });
  });

  it("is empty for nobody", () => {
    expect(graphFromEdges([], [])).toMatchObject({ agents: 0, levels: 0, order: new Int32Array(0) });
  });
});

describe("edges that make no graph", () => {
  it.each([
    [
      "a cycle, listed from its lowest agent",
      [
        [0, 1],
        [1, 2],
        [2, 0],
      ],
      "graph/cycle",
      "0 → 1 → 2 → 0",
    ],
    [
      "a cycle of two behind other agents",
      [
        [0, 3],
        [3, 1],
        [1, 3],
        [1, 2],
      ],
      "graph/cycle",
      "1 → 3 → 1",
    ],
    ["a self-edge", [[1, 1]], "graph/self-edge", "edge 1 → 1"],
    [
      "an edge given twice",
      [
        [0, 1],
        [1, 2],
        [0, 1],
      ],
      "graph/duplicate-edge",
      "edge 0 → 1",
    ],
    ["a listener outside the team", [[1, 7]], "graph/absent-agent", "agent 7"],
    ["a speaker that does not take part", [[4, 1]], "graph/absent-agent", "agent 4"],
    ["a negative agent", [[-1, 1]], "graph/absent-agent", "agent -1"],
    ["half an agent", [[0, 1.5]], "graph/absent-agent", "agent 1.5"],
    ["no agent at all", [[0, Number.NaN]], "graph/absent-agent", "agent NaN"],
  ] as const)("are refused: %s", (_, edges, code, words) => {
    expect(() => graphFromEdges(edges, [1, 1, 1, 1, 0])).toThrow(
      expect.objectContaining({ code, message: expect.stringContaining(words), hint: expect.any(String) }),
    );
  });

  it("are refused: arrays of unequal length", () => {
    expect(() => graphFromEdges({ sources: [0, 1], targets: [1] }, [1, 1])).toThrow(
      expect.objectContaining({ code: "graph/lengths" }),
    );
  });

  it("are refused whichever edge closes a cycle, and the listed cycle is one", () => {
    fc.assert(
      fc.property(dags, fc.nat(), ({ agents, edges }, pick) => {
        fc.pre(edges.length > 0);
        const [source, target] = edges[pick % edges.length];
        const closed: (readonly [number, number])[] = [...edges, [target, source]];
        let message = "";
        try {
          graphFromEdges(closed, everyone(agents));
        } catch (error) {
          message = (error as Error).message;
        }
        expect(message).toMatch(/^the edges form a cycle: /);
        const path = message.replace(/^.*: /, "").split(" → ");
        fc.pre(!message.includes("…"));
        expect(path.at(-1)).toBe(path[0]);
        const known = new Set(closed.map(([from, to]) => `${from} → ${to}`));
        for (let k = 1; k < path.length; k++) expect(known).toContain(`${path[k - 1]} → ${path[k]}`);
      }),
    );
  });

  it("are refused in a readable line when the cycle is long", () => {
    const ring = Array.from({ length: 5000 }, (_, i) => [i, (i + 1) % 5000] as const);
    expect(() => graphFromEdges(ring, everyone(5000))).toThrow(/0 → 1 → .* → 18 → … \(5000 agents\)$/);
  });
});

describe("neighbours", () => {
  it("list whom each agent hears, in the order of the edges", () => {
    const graph = graphFromEdges(
      [
        [2, 3],
        [0, 3],
        [0, 1],
        [1, 3],
      ],
      everyone(4),
    );
    const { offsets, ids } = neighbours(graph);
    expect(Array.from(graph.level, (_, i) => Array.from(ids.subarray(offsets[i], offsets[i + 1])))).toEqual([
      [],
      [0],
      [],
      [2, 0, 1],
    ]);
  });
});
