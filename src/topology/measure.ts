import type { CommunicationGraph } from "../contracts/topology.ts";
import { neighbours } from "./order.ts";

/** How much a graph lets through, and at what price. n: participants. All but `temporal` is about the same round. */
export interface GraphMeasures {
  readonly participants: number;
  readonly edges: number;
  /** Edges through time. */
  readonly temporal: number;
  /** Wall-clock time of the round, in calls. */
  readonly levels: number;
  /** Edges by the n(n−1)/2 of the complete DAG; 0 for fewer than two participants. */
  readonly density: number;
  readonly meanInDegree: number;
  /** Ordered pairs joined by a path, by the n(n−1)/2 of the complete DAG; `null` where counting them would take long. */
  readonly reach: number | null;
}

/** Counting reach costs E · n / 32 steps; this many take about a tenth of a second. */
const MOST_STEPS = 5e7;

export function measureGraph(graph: CommunicationGraph): GraphMeasures {
  const participants = graph.order.length;
  const edges = graph.sources.length;
  const pairs = (participants * (participants - 1)) / 2;
  const steps = edges * Math.ceil(participants / 32);
  return {
    participants,
    edges,
    temporal: graph.temporal?.sources.length ?? 0,
    levels: graph.levels,
    density: pairs === 0 ? 0 : edges / pairs,
    meanInDegree: participants === 0 ? 0 : edges / participants,
    reach: steps > MOST_STEPS ? null : pairs === 0 ? 0 : countReach(graph) / pairs,
  };
}

/** Ordered pairs of agents joined by a path: 32 starting points at a time, one bit each, passed along the order. */
function countReach(graph: CommunicationGraph): number {
  const { order } = graph;
  const { offsets, ids } = neighbours(graph);
  const reachedN = new Uint32Array(graph.agents);
  let pairs = 0;
  for (let start = 0; start < order.length; start += 32) {
    // Nothing before the first starting point can hear it, and what an earlier block left there must not count.
    reachedN.fill(0);
    for (let p = start; p < order.length; p++) {
      const agent = order[p];
      let reached = 0;
      for (let e = offsets[agent]; e < offsets[agent + 1]; e++) reached |= reachedN[ids[e]];
      pairs += countBits(reached);
      reachedN[agent] = p < start + 32 ? reached | (1 << (p - start)) : reached;
    }
  }
  return pairs;
}

/** Set bits of a 32-bit integer (Warren, Hacker's Delight, 5-1). */
function countBits(word: number): number {
  let w = word - ((word >>> 1) & 0x55555555);
  w = (w & 0x33333333) + ((w >>> 2) & 0x33333333);
  return Math.imul((w + (w >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
