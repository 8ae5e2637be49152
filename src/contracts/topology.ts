import type { Rng } from "../base/rng.ts";

/** A number for all agents, or one for each. `Infinity` means no limit; 0 is legal. */
export type Limit = number | ArrayLike<number>;

/** Degree budgets of a round (TodyComm: "node-wise incoming and outgoing degree budget constraints"). */
export interface Budget {
  /** B_in: how many an agent may hear. */
  readonly in: Limit;
  /** B_out: how many may hear an agent. */
  readonly out: Limit;
  /** L: how many levels a round may have (ours); 1 means no edges. */
  readonly depth: number;
}

/** G_C^t: who speaks in a round and who hears whom. Always acyclic, without self-edges or duplicates. */
export interface CommunicationGraph {
  /** N: agents of the team, taking part or not. */
  readonly agents: number;
  /** Participants in a topological order: every edge runs forward in it. */
  readonly order: Int32Array;
  /** Edge e runs from `sources[e]` to `targets[e]`: the target hears the source's output of the same round. */
  readonly sources: Int32Array;
  readonly targets: Int32Array;
  /** N entries: 1 for participants who hear nobody, 1 + the highest level among those they hear, 0 for absent agents. */
  readonly level: Int32Array;
  /** The number of levels; wall-clock time of a round is this many calls. */
  readonly levels: number;
}

/** What a topology rule may look at. */
export interface DrawInput {
  /** c: one credit an agent. */
  readonly credits: ArrayLike<number>;
  /** z: 1 for those who take part. */
  readonly participants: ArrayLike<number>;
  readonly budget: Budget;
  /** 1-based round that the graph is for. */
  readonly round: number;
  /** Used by random rules only. */
  readonly rng: Rng;
}

/** Draws the graph of a round. Deterministic: same input (and stream), same graph. */
export type TopologyRule = (input: DrawInput) => CommunicationGraph;
