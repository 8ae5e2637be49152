import type { Tier } from "../../../contracts/workplace/project.ts";

/**
 * What sets a tier apart. Hours are published (C2C, section 4.1: as time budgets; that the effort equals the budget is
 * inferred from its figures). All else is ours, calibrated on the cells that docs/workplace.md names.
 */
export interface TierSettings {
  /** Time budget and effort of a task. */
  readonly hours: number;
  /** Components and requirements of a task. */
  readonly components: number;
  readonly requirements: number;
  /** Subtasks for 4 workers, and the power of W/4 they grow with. */
  readonly subtasks: number;
  readonly growth: number;
  /** Chance that a requirement has to wait for an earlier one. */
  readonly links: number;
  /** What talk alone can teach a worker with all, and with none, of the skills, in thousandths of AF. */
  readonly ceiling: number;
  readonly ceilingUnskilled: number;
  /** Chance, for each hour of work, of noticing a gap. */
  readonly gaps: number;
  /** Chance that a gap is of two topics and not of one. */
  readonly deep: number;
  /** Chance that the requirements of a perfectly clear subtask are unclear at its start; one that is not clear adds to it. */
  readonly unclear: number;
  /** Chance that a noticed gap is shared with the owner of a linked subtask. */
  readonly shared: number;
}

export const defaultTiers: Readonly<Record<Tier, TierSettings>> = {
  simple: {
    hours: 8,
    components: 2,
    requirements: 12,
    subtasks: 5,
    growth: 0.4,
    links: 0.05,
    ceiling: 800,
    ceilingUnskilled: 700,
    gaps: 0.4,
    deep: 0,
    unclear: 0.4,
    shared: 0,
  },
  medium: {
    hours: 24,
    components: 3,
    requirements: 20,
    subtasks: 8,
    growth: 0.35,
    links: 0.28,
    ceiling: 900,
    ceilingUnskilled: 860,
    gaps: 0.65,
    deep: 0.4,
    unclear: 0.15,
    shared: 0.25,
  },
  complex: {
    hours: 40,
    components: 4,
    requirements: 32,
    subtasks: 18,
    growth: 0.5,
    links: 0.05,
    ceiling: 600,
    ceilingUnskilled: 530,
    gaps: 0.6,
    deep: 0.8,
    unclear: 0.25,
    shared: 0.4,
  },
};

/** Subtasks a task is cut into for W workers: more for larger teams, but less than in proportion. */
export const subtaskCount = ({ subtasks, growth, requirements }: TierSettings, workers: number): number =>
  Math.max(1, Math.min(requirements, Math.round(subtasks * (workers / 4) ** growth)));
