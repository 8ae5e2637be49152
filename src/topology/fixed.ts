import type { CommunicationGraph, DrawInput, TopologyRule } from "../contracts/topology.ts";
import { readDegrees, readDepth, readMostEdges } from "./budget.ts";
import { buildDag, type Candidates, connect, everyLater } from "./build-dag.ts";
import { createEdgeList } from "./edge-list.ts";
import { listParticipants } from "./participants.ts";

/**
 * The rules of the baselines and ablations. They stand the participants in index order (`randomOrder`: any order), look
 * at no credits, and take their edges while the budgets allow, as the credit rule does. Position p counts participants
 * from 0.
 */
const inIndexOrder =
  (candidates: Candidates): TopologyRule =>
  (input) =>
    connect(listParticipants(input.participants), input, candidates);

const nobody: Candidates = { first: (p) => p + 1, end: () => 0 };

/** Everyone works alone. */
export const none = inIndexOrder(nobody);

/** Only the first participant works; the others are absent from the graph. */
export const solo: TopologyRule = (input) => connect(listParticipants(input.participants).slice(0, 1), input, nobody);

/** p → p + 1. */
export const chain = inIndexOrder({ first: (p) => p + 1, end: (p) => p + 2 });

/** 0 → all others. */
export const star = inIndexOrder({ first: (p) => p + 1, end: (p, count) => (p === 0 ? count : 0) });

/** A binary tree from its root down: p → 2p + 1, 2p + 2. */
export const tree = inIndexOrder({ first: (p) => 2 * p + 1, end: (p) => 2 * p + 3 });

/** Layers of ⌈√n⌉ participants, each joined to the whole next layer. */
export const layered = inIndexOrder({
  first: nextLayer,
  end: (p, count) => nextLayer(p, count) + layerWidth(count),
});

function layerWidth(count: number): number {
  return Math.ceil(Math.sqrt(count));
}

function nextLayer(p: number, count: number): number {
  return (Math.floor(p / layerWidth(count)) + 1) * layerWidth(count);
}

/** Every earlier participant → every later one. */
export const complete = inIndexOrder(everyLater);

/**
 * Each participant hears as many as its in-degree budget allows, drawn uniformly among the earlier ones that may still
 * speak. Without an in-degree budget that is everyone. An edge budget leaves the later ones with nobody to hear.
 */
export function random(input: DrawInput): CommunicationGraph {
  const rng = input.rng.fork("random", input.round);
  const agents = input.participants.length;
  const order = listParticipants(input.participants);
  const { inLeftN, outLeftN } = readDegrees(input.budget, agents);
  const depth = readDepth(input.budget);
  const most = readMostEdges(input.budget);
  const edges = createEdgeList(2 * order.length);
  const level = new Int32Array(agents);
  let levels = 0;
  const speakers = new Int32Array(order.length);
  let waiting = 0;
  for (const j of order) {
    level[j] = 1;
    const heard = Math.min(inLeftN[j], waiting, most - edges.count());
    // The first steps of a Fisher-Yates shuffle bring the chosen ones to the front.
    for (let k = 0; k < heard; k++) {
      const drawn = k + rng.integer(waiting - k);
      [speakers[k], speakers[drawn]] = [speakers[drawn], speakers[k]];
      edges.add(speakers[k], j);
      level[j] = Math.max(level[j], level[speakers[k]] + 1);
    }
    // From the back, so that whoever fills a gap has been looked at already.
    for (let k = heard - 1; k >= 0; k--) if (--outLeftN[speakers[k]] === 0) speakers[k] = speakers[--waiting];
    if (level[j] < depth && outLeftN[j] > 0) speakers[waiting++] = j;
    levels = Math.max(levels, level[j]);
  }
  return { agents, order, ...edges.arrays(), level, levels };
}

/** Per-agent budgets can make an order hold fewer edges than the ranking by credit does: how many orders to try. */
const ORDERS = 16;

/**
 * The ablation of the credit rule: the same rule with the order drawn at random, and as many edges as credits would
 * give. Equal budgets for all agents always reach that number; under per-agent ones it is the fullest of 16 orders, and
 * never more.
 */
export function randomOrder(input: DrawInput): CommunicationGraph {
  const wanted = buildDag(input).sources.length;
  const present = Array.from(listParticipants(input.participants));
  let fullest: CommunicationGraph | undefined;
  for (let attempt = 0; attempt < ORDERS; attempt++) {
    const order = Int32Array.from(input.rng.fork("random-order", input.round, attempt).shuffle(present));
    const graph = connect(order, input, everyLater, wanted);
    if (fullest === undefined || graph.sources.length > fullest.sources.length) fullest = graph;
    if (fullest.sources.length === wanted) break;
  }
  return fullest as CommunicationGraph;
}
