import { ColloquyError } from "../base/errors.ts";
import type { CommunicationGraph } from "../contracts/topology.ts";
import { createIndexHeap } from "./index-heap.ts";
import { listParticipants } from "./participants.ts";

/** Edges from elsewhere: `[source, target]` pairs, or two arrays of equal length. */
export type Edges =
  | readonly (readonly [number, number])[]
  | { readonly sources: ArrayLike<number>; readonly targets: ArrayLike<number> };

/** For each agent a run of other agents: those of agent i are `ids[offsets[i]]` to `ids[offsets[i + 1] - 1]`. */
export interface Neighbours {
  /** N + 1 entries. */
  readonly offsets: Int32Array;
  /** One entry an edge. */
  readonly ids: Int32Array;
}

/** Whom each agent hears in the same round, in the order of the graph's edges. O(N + E). */
export function neighbours(graph: Pick<CommunicationGraph, "agents" | "sources" | "targets">): Neighbours {
  return groupBy(graph.agents, graph.targets, graph.sources);
}

/** Whom each agent hears in either way: those of the same round first, then those through time. O(N + E). */
export function hearing(graph: CommunicationGraph): Neighbours {
  const { agents, sources, targets, temporal } = graph;
  if (temporal === undefined) return neighbours(graph);
  return groupBy(agents, joined(targets, temporal.targets), joined(sources, temporal.sources));
}

function joined(first: Int32Array, second: Int32Array): Int32Array {
  const both = new Int32Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}

/**
 * A checked graph from edges that a stranger gave (a file, a record, a program). The order is the topological one that
 * always goes on with the lowest index that can run next, so it depends on the set of edges alone. O(N log N + E).
 * @param participants z: N entries of 0 or 1
 * @throws ColloquyError `graph/absent-agent`, `graph/self-edge`, `graph/duplicate-edge`, `graph/cycle` (lists the
 * cycle), `graph/participant`, `graph/lengths`
 */
export function graphFromEdges(edges: Edges, participants: ArrayLike<number>): CommunicationGraph {
  const agents = participants.length;
  const present = listParticipants(participants);
  const { sources, targets } = readEdges(edges, participants);
  const children = groupBy(agents, sources, targets);
  checkDuplicates(children);

  const unheardN = new Int32Array(agents);
  for (const target of targets) unheardN[target]++;
  const ready = createIndexHeap(present.length);
  const level = new Int32Array(agents);
  for (const agent of present) {
    level[agent] = 1;
    if (unheardN[agent] === 0) ready.push(agent);
  }
  const order = new Int32Array(present.length);
  let placed = 0;
  let levels = 0;
  for (let agent = ready.pop(); agent >= 0; agent = ready.pop()) {
    order[placed++] = agent;
    levels = Math.max(levels, level[agent]);
    for (let e = children.offsets[agent]; e < children.offsets[agent + 1]; e++) {
      const child = children.ids[e];
      level[child] = Math.max(level[child], level[agent] + 1);
      if (--unheardN[child] === 0) ready.push(child);
    }
  }
  if (placed < present.length) throw cycleError(unheardN, neighbours({ agents, sources, targets }));
  return { agents, order, sources, targets, level, levels };
}

/** The edges as two arrays, each between two different agents that take part. */
function readEdges(edges: Edges, participants: ArrayLike<number>): { sources: Int32Array; targets: Int32Array } {
  const from = "sources" in edges ? edges.sources : edges.map((pair) => pair[0]);
  const to = "sources" in edges ? edges.targets : edges.map((pair) => pair[1]);
  if (from.length !== to.length) {
    throw new ColloquyError("graph/lengths", `there are ${from.length} sources for ${to.length} targets`, {
      hint: "Edge e runs from sources[e] to targets[e]: give both the same length.",
    });
  }
  for (let e = 0; e < from.length; e++) {
    if (participants[from[e]] !== 1) throw absentError(from[e], from[e], to[e]);
    if (participants[to[e]] !== 1) throw absentError(to[e], from[e], to[e]);
    if (from[e] === to[e]) {
      throw new ColloquyError("graph/self-edge", `edge ${from[e]} → ${to[e]} joins an agent to itself`, {
        hint: "Remove it: an agent always knows its own last output.",
      });
    }
  }
  return { sources: Int32Array.from(from), targets: Int32Array.from(to) };
}

function absentError(agent: number, source: number, target: number): ColloquyError {
  return new ColloquyError("graph/absent-agent", `edge ${source} → ${target} names agent ${agent}, who takes no part`, {
    hint: "Agents count from 0, and only those with participation 1 have edges.",
  });
}

function checkDuplicates(children: Neighbours): void {
  const agents = children.offsets.length - 1;
  const seenFrom = new Int32Array(agents).fill(-1);
  for (let source = 0; source < agents; source++) {
    for (let e = children.offsets[source]; e < children.offsets[source + 1]; e++) {
      const target = children.ids[e];
      if (seenFrom[target] === source) {
        throw new ColloquyError("graph/duplicate-edge", `edge ${source} → ${target} is given twice`, {
          hint: "Keep one of the two: a message is heard once.",
        });
      }
      seenFrom[target] = source;
    }
  }
}

/** Every agent that still waits hears another one that waits: walking back from the lowest must come round. */
function cycleError(unheardN: Int32Array, parents: Neighbours): ColloquyError {
  const walk: number[] = [];
  const stepOf = new Map<number, number>();
  let agent = unheardN.findIndex((count) => count > 0);
  while (!stepOf.has(agent)) {
    stepOf.set(agent, walk.length);
    walk.push(agent);
    const heard = parents.ids.subarray(parents.offsets[agent], parents.offsets[agent + 1]);
    agent = heard.find((parent) => unheardN[parent] > 0) as number;
  }
  const cycle = walk.slice(stepOf.get(agent)).reverse();
  const start = cycle.indexOf(cycle.reduce((lowest, next) => Math.min(lowest, next)));
  const path = [...cycle.slice(start), ...cycle.slice(0, start + 1)];
  const shown = path.length <= 20 ? path : [...path.slice(0, 19), `… (${cycle.length} agents)`];
  return new ColloquyError("graph/cycle", `the edges form a cycle: ${shown.join(" → ")}`, {
    hint: "Agents of a round run one after the other: remove one edge of the cycle.",
  });
}

/** `values` grouped by `keys` (counting sort, stable). */
function groupBy(groups: number, keys: Int32Array, values: Int32Array): Neighbours {
  const offsets = new Int32Array(groups + 1);
  for (const key of keys) offsets[key + 1]++;
  for (let group = 0; group < groups; group++) offsets[group + 1] += offsets[group];
  const next = offsets.slice();
  const ids = new Int32Array(values.length);
  for (let e = 0; e < keys.length; e++) ids[next[keys[e]]++] = values[e];
  return { offsets, ids };
}
