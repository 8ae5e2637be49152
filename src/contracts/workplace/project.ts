/*
 * The work of the workplace world (C2C, section 3.4). Effort and progress are integers: a step of 15 minutes at full
 * understanding is 1,000 units, so an hour of effort is 4,000.
 */

/** How hard a project is; fixes its time budget: 8, 24 and 40 hours (C2C, section 4.1). */
export type Tier = "simple" | "medium" | "complex";

/** Units of effort of one hour at full understanding. */
export const unitsPerHour = 4000;

/** Somebody on the team. The first member is the manager. */
export interface Member {
  readonly name: string;
  /** From the project's skill pool; 2 to 4 for a worker, all of them for the manager, who knows a little of everything. */
  readonly skills: readonly string[];
}

/** One thing a task asks for, before anybody has divided the work. */
export interface Requirement {
  readonly title: string;
  /** The part of the product it belongs to, from 0. */
  readonly component: number;
  readonly skill: string;
  /** What must be understood to do it; no two requirements of a project share one. */
  readonly topics: readonly string[];
  /** Units. */
  readonly effort: number;
  /** Indices of earlier requirements of the same task that have to be done first. */
  readonly after: readonly number[];
}

/** A task as the team is given it. */
export interface TaskBrief {
  readonly title: string;
  readonly description: string;
  readonly requirements: readonly Requirement[];
}

/** What an episode is about: a team and the tasks it is given at once. Plain data. */
export interface Project {
  /** Names the tier, the team and the draw: `complex-4w-17`. */
  readonly id: string;
  readonly tier: Tier;
  /** N members, the manager first, then W workers. */
  readonly members: readonly Member[];
  readonly tasks: readonly TaskBrief[];
}

/** A piece of work that one worker owns at a time. */
export interface Subtask {
  /** Index of its task in the project. */
  readonly task: number;
  readonly title: string;
  readonly skills: readonly string[];
  readonly topics: readonly string[];
  /** Units; the weight w of the parent's progress. */
  readonly effort: number;
  /** Indices of subtasks that must be done before it can begin. Never a cycle. */
  readonly after: readonly number[];
  /** Those it touches: what it waits for, what waits for it, and what shares a component with it. */
  readonly linked: readonly number[];
  /** In thousandths, how clearly it is cut: 1,000 where it asks for one skill and stays within one component. */
  readonly clarity: number;
}

/** A manager's plan for a project: the subtasks and who begins with which. */
export interface Plan {
  readonly subtasks: readonly Subtask[];
  /** The worker (1..W) each subtask is given to. */
  readonly owners: readonly number[];
}
