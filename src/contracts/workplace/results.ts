import type { Channel, RequestType } from "./message.ts";
import type { Tier } from "./project.ts";
import type { MessageCounts } from "./record.ts";

/*
 * What an evaluation of the workplace comes to: one row a cell and method, and pairs of methods compared within a cell. Plain
 * JSON. Hours are of project time, not of people; shares and AF are in [0, 1]. `null` stands where there is nothing to
 * measure, such as the time to completion where nothing was completed.
 */

/** What is played: episodes of equal cells can be compared. */
export interface WorkplaceCell {
  readonly tier: Tier;
  /** W; the team has one more. */
  readonly workers: number;
  /** Given to the team at once. */
  readonly tasks: number;
  /** How the manager divides the work. */
  readonly decomposition: string;
  readonly adversaries: number;
  /** Kind of attack; it and the onset say nothing where there are no adversaries. */
  readonly attack: string;
  readonly onset: string;
}

/** A mean over episodes with its 95 % interval. */
export interface Estimate {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
}

/** A mean over `count` things. */
export interface Average {
  readonly count: number;
  readonly mean: number | null;
}

/** What came of a method in a cell. */
export interface WorkplaceRow extends WorkplaceCell {
  readonly method: string;
  /** Episodes. */
  readonly n: number;
  /** Share of episodes in which all was done within the limit. */
  readonly completed: number;
  /** Share of tasks that were done within their time budget, the tier's hours. */
  readonly inBudget: number;
  /** To completion, over the completed. */
  readonly hours: Estimate | null;
  /** By the ledger, summed over agents. */
  readonly communicationHours: Estimate;
  /** Steps spent on communication / (agents × steps). */
  readonly communicationShare: number;
  /** AF over subtasks and their owners: at the end, and over the steps worked. */
  readonly alignmentFinal: number;
  readonly alignmentMean: number;
  /** Budget hours / hours to completion. */
  readonly efficiency: number | null;
  /** Effort hours / person-hours of the whole team, its manager included: at most 1. */
  readonly productivity: number;
  /** Share of the workers' steps in which they worked. */
  readonly utilisation: number;
  /** How clearly the subtasks are cut. */
  readonly clarity: number;
  readonly subtasks: number;
  /** Means of an episode. */
  readonly messages: MessageCounts;
  readonly channels: Readonly<Record<Channel, number>>;
  readonly reassigned: number;
  readonly meetingsHeld: number;
  readonly faults: number;
  readonly malformed: number;
  /** ΔAF of an answer. */
  readonly gains: Readonly<Record<RequestType, Average>>;
  /** Hours from a request to its answer. */
  readonly responses: Readonly<Record<Channel, Average>>;
  /** 0: everybody writes to everybody equally; 1: all messages go from or to one agent. */
  readonly hub: number;
}

/** A mean of paired differences with its 95 % interval, and the p of a test for 0. */
export interface Difference extends Estimate {
  readonly p: number;
}

/** Two methods on the same projects of a cell. Differences are `method` − `reference`: below 0 where `method` takes less. */
export interface WorkplaceComparison extends WorkplaceCell {
  readonly method: string;
  readonly reference: string;
  /** Pairs of episodes. */
  readonly pairs: number;
  /** Unfinished episodes count as the limit. */
  readonly hours: Difference;
  readonly communicationHours: Difference;
}
