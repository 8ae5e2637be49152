import type { AttackPlanner } from "../../contracts/attack.ts";
import type { Embedder } from "../../contracts/embedder.ts";
import type { Population } from "../../contracts/population.ts";
import type { Grader } from "../../contracts/task.ts";
import type { Budget, TopologyRule } from "../../contracts/topology.ts";

/** Everything that makes one `deliberation-v1` world. Completed by the caller; nothing here is optional by accident. */
export interface DeliberationSettings {
  /** N ≥ 1. */
  readonly agents: number;
  /** T ≥ 1: rounds of speaking. Round 1 is answered alone; the vote is decision T+1. */
  readonly rounds: number;
  /** Rounds the onset schedule is drawn over: the run's own T, also where a method stops earlier, so that all meet one attack. */
  readonly attackRounds: number;
  readonly population: Population;
  readonly attack: AttackPlanner;
  /** Draws G_C^t from credits and participation, or from the edges that the policy proposes. */
  readonly topology: TopologyRule;
  /** Budgets of a round, 2..T; they may differ from round to round. */
  budget(round: number): Budget;
  /**
   * How the answer is chosen. `credit`: Σ σ(c_i)·sol_i over the voters; `majority`: one voice each, ties broken by credit.
   */
  readonly vote: "credit" | "majority";
  /** V_D: `participants` of the last decision, or `all` agents (credits alone then decide what a voice weighs). */
  readonly voters: "participants" | "all";
  /** Which utterances are counted: of the last round, or of `all` rounds (self-consistency). */
  readonly ballots: "last" | "all";
  /** Agents asked in round 1; the others never speak. By default everyone. */
  readonly panel?: readonly number[];
  /** Whether agents remember their own last utterance; without it every round asks afresh. */
  readonly memory: boolean;
  /** Judges answers where equality with the gold one does not (programs are run). */
  readonly grade?: Grader;
  /** Names of the scalar features the policy sees; see `behaviour/features`. */
  readonly features: readonly string[];
  /** Makes behaviour embeddings of texts; `null` for policies that read none. Utterances may bring their own. */
  readonly embedder: Embedder | null;
  /** D the policy was built for; 0 for none. */
  readonly embedding: number;
}
