import type { Rng } from "../../base/rng.ts";
import type { Budget, TopologyRule } from "../../contracts/topology.ts";
import type { MindAttackPlanner } from "../../contracts/workplace/attack.ts";
import type { Judge, Mind } from "../../contracts/workplace/mind.ts";
import type { Plan, Project } from "../../contracts/workplace/project.ts";
import type { WorkplaceEvent } from "../../contracts/workplace/record.ts";
import type { Costs } from "./costs.ts";
import type { TierSettings } from "./planning/tiers.ts";

/** How the members of a team may talk: the gate of a strategy. */
export type Gate =
  /** Nobody ever begins a conversation. */
  | "closed"
  /** Everybody may, at any step. */
  | "open"
  /** At every 16th step. */
  | "scheduled"
  /** As the policy decides. */
  | "policy";

/** Everything a workplace is made of. */
export interface WorkplaceSettings {
  /** The most members of a team: the manager and W workers. Projects may have fewer. */
  readonly agents: number;
  /** The manager's plan for a project. */
  plan(project: Project): Plan;
  /** A mind for every member, in order. */
  minds(project: Project, rng: Rng): readonly Mind[];
  readonly judge: Judge;
  readonly attack: MindAttackPlanner;
  readonly gate: Gate;
  /** How minds are asked to talk. */
  readonly manner: "weigh" | "freely" | "report";
  /** Whether everybody answers at once; where the policy decides, those do who take part. */
  readonly prompt: boolean;
  /** Draws who may ask whom, where the policy decides: an edge i → j lets j ask i. */
  readonly topology: TopologyRule;
  readonly budget: Budget;
  readonly tiers: Readonly<Record<"simple" | "medium" | "complex", TierSettings>>;
  readonly costs: Costs;
  /** Whether a worker who has nothing left takes unbegun work from the most loaded one. */
  readonly reassign: boolean;
  /** S names, in order. */
  readonly features: readonly string[];
  /** Whether records keep the event log. */
  readonly log: boolean;
  /** Told of every event as it happens, where there is a log: what is written down can be gone on from. */
  readonly onEvent?: (event: WorkplaceEvent) => void;
}

/** Steps of an episode, at most: 40 hours of 15 minutes [P]. */
export const stepLimit = 160;
/** Steps of an hour. */
export const stepsPerHour = 4;
/** The policy decides every so many steps [ours]. */
export const decisionEvery = 4;
/** AF of everybody on everything at the start, in thousandths [P]. */
export const initialAlignment = 300;
/** AF stays within 0.01 and 1 [P]. */
export const leastAlignment = 10;
/** Replies of a thread, at most [P]. */
export const threadDepth = 3;
/** Period of the strategy `fixed-steps` [P]. */
export const reportEvery = 16;
