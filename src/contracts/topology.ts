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
  /** E: the most edges of a round, those through time included (ours). Default: no limit. */
  readonly edges?: number;
  /** B_T: how many may be heard through time, by what they said in an earlier round (ours). Default 0. */
  readonly temporal?: Limit;
}

/** A limit as recipes and policies keep it: `null` for none; a list has one for each of the rounds 2, 3, … */
export type PlainLimit = number | null | readonly (number | null)[];

/** Budgets as recipes and policies keep them. */
export interface PlainBudget {
  readonly in: PlainLimit;
  readonly out: PlainLimit;
  readonly depth: PlainLimit;
  readonly edges?: PlainLimit;
  /** `null` for no limit, 0 (the default) for none through time. */
  readonly temporal?: PlainLimit;
}

/** Edges as two arrays of one length: edge e runs from `sources[e]` to `targets[e]`. */
export interface EdgeArrays {
  readonly sources: Int32Array;
  readonly targets: Int32Array;
}

/** Edges a policy asks for itself, most wanted first, as [source, target]. Only the rule `proposed` looks at them. */
export interface Proposal {
  readonly edges: readonly (readonly [number, number])[];
  /** Edges through time; absent: none. */
  readonly temporal?: readonly (readonly [number, number])[];
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
  /**
   * Edges through time: the target hears what the source last said before this round, so they need no order, cost no level
   * and may run both ways between two agents. No pair has an edge of both kinds. Absent where there are none.
   */
  readonly temporal?: EdgeArrays;
}

/** What a topology rule may look at. */
export interface DrawInput {
  /** c: one credit an agent. */
  readonly credits: ArrayLike<number>;
  /** z: 1 for those who take part. */
  readonly participants: ArrayLike<number>;
  readonly budget: Budget;
  readonly proposal?: Proposal;
  /** 1-based round that the graph is for. */
  readonly round: number;
  /** Used by random rules only. */
  readonly rng: Rng;
}

/** Draws the graph of a round. Deterministic: same input (and stream), same graph. */
export type TopologyRule = (input: DrawInput) => CommunicationGraph;
