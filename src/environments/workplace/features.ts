import { unitsPerHour } from "../../contracts/workplace/project.ts";
import { ceilingOf, matchOf } from "./alignment.ts";
import { initialAlignment, stepLimit } from "./settings.ts";
import { isReady, type WorkState } from "./state.ts";

/** What several agents' features need of the whole team, found once a decision. */
export interface TeamFacts {
  /** Units left of each agent's own subtasks. */
  readonly leftN: Float64Array;
  /** Of the whole team. */
  readonly left: number;
  /** Longest chain of work that hangs on an agent's own, its own included, in units; and the longest of all. */
  readonly chainN: Float64Array;
  readonly chain: number;
  /** For each skill how many of the noticed gaps need it, each gap counting 1 in all. */
  readonly wanted: ReadonlyMap<string, number>;
  readonly gaps: number;
}

/** One pass over subtasks: O(N + S). @param tailS longest chain of work behind each subtask, its own included */
export function teamFacts(state: WorkState, tailS: ArrayLike<number>): TeamFacts {
  const N = state.agents;
  const leftN = new Float64Array(N);
  const chainN = new Float64Array(N);
  const wanted = new Map<string, number>();
  let left = 0;
  let chain = 0;
  let gaps = 0;
  state.leftS.forEach((units, s) => {
    if (units === 0) return;
    const owner = state.ownerS[s];
    leftN[owner] += units;
    left += units;
    const behind = tailS[s] - (state.plan.subtasks[s].effort - units);
    chainN[owner] = Math.max(chainN[owner], behind);
    chain = Math.max(chain, behind);
    if (state.gapS[s].length === 0) return;
    gaps++;
    const { skills } = state.plan.subtasks[s];
    for (const skill of skills) wanted.set(skill, (wanted.get(skill) ?? 0) + 1 / skills.length);
  });
  return { leftN, left, chainN, chain, wanted, gaps };
}

/** Longest chain of effort from each subtask on, itself included. */
export function chainLengths(efforts: readonly number[], dependents: readonly (readonly number[])[]): Float64Array {
  const tail = new Float64Array(efforts.length).fill(-1);
  const visit = (s: number): number => {
    if (tail[s] < 0) tail[s] = efforts[s] + dependents[s].reduce((longest, d) => Math.max(longest, visit(d)), 0);
    return tail[s];
  };
  for (const s of efforts.keys()) visit(s);
  return tail;
}

type Feature = (state: WorkState, agent: number, team: TeamFacts) => number;

const currentOf = (state: WorkState, agent: number): number | undefined =>
  state.queueN[agent].find((s) => isReady(state, s)) ?? state.queueN[agent][0];

/** What a mean over few is pulled to, and by how many: the published mean ΔAF of an answered request. */
const usualGain = 150;
const usualCount = 2;

const shrunk = ({ count, sum }: { readonly count: number; readonly sum: number }): number =>
  (sum + usualCount * usualGain) / (count + usualCount) / 1000;

/**
 * The named features of the workplace, each about 0 to 1 [ours]. Nothing here knows who is adversarial, what anybody has not
 * noticed yet, how able anybody is behind its skills, or a Δ that has not been seen.
 */
export const workplaceFeatures = {
  /** AF on the subtask at hand; 0 without one. */
  alignment: (state, agent) => {
    const s = currentOf(state, agent);
    return s === undefined ? 0 : state.alignmentS[s] / 1000;
  },
  /** Mean AF over the steps it has worked on its present subtasks; the initial AF before any. */
  meanAlignment: (state, agent) => {
    let steps = 0;
    let sum = 0;
    for (const s of state.queueN[agent]) {
      steps += state.workedS[s];
      sum += state.alignmentSumS[s];
    }
    return (steps === 0 ? initialAlignment : sum / steps) / 1000;
  },
  /** What is left of its own work, as a share of the tier's hours. */
  left: (state, agent, { leftN }) => leftN[agent] / (state.tier.hours * unitsPerHour),
  /** The same against an equal share of what the team has left: 1 is as much as the others, 4 the most that is told. */
  load: (state, agent, { leftN, left }) =>
    left === 0 ? 0 : Math.min(4, (leftN[agent] * (state.agents - 1)) / left) / 4,
  /** The longest chain of work that hangs on its own, against the longest of all: 1 on the critical path. */
  critical: (_state, agent, { chainN, chain }) => (chain === 0 ? 0 : chainN[agent] / chain),
  /** It is the manager. */
  isManager: (_state, agent) => (agent === 0 ? 1 : 0),
  /** Requests it has not answered, up to 4. */
  unanswered: (state, agent) => Math.min(4, state.mailN[agent].length) / 4,
  /** Age of the oldest of them, up to 8 steps. */
  oldestAge: (state, agent) => Math.min(8, state.step - (state.mailN[agent][0]?.sentAt ?? state.step)) / 8,
  /** It waits for an answer. */
  hasOpenRequest: (state, agent) => (state.openN[agent].length > 0 ? 1 : 0),
  /** It has noticed a gap in the subtask at hand, or that its requirements are unclear. */
  hasGap: (state, agent) => {
    const s = currentOf(state, agent);
    return s !== undefined && (state.gapS[s].length > 0 || state.unclearS[s] === 1) ? 1 : 0;
  },
  /** Owners of linked work share the gap: it may call a meeting. */
  sharesGap: (state, agent) => {
    const s = currentOf(state, agent);
    return s !== undefined && state.sharedS[s].length > 0 ? 1 : 0;
  },
  /** What is left of the subtask at hand, up to a fifth of the tier's hours. */
  leftHere: (state, agent) => {
    const s = currentOf(state, agent);
    return s === undefined ? 0 : Math.min(1, (5 * state.leftS[s]) / (state.tier.hours * unitsPerHour));
  },
  /** AF that talk can still add to the subtask at hand. */
  room: (state, agent) => {
    const s = currentOf(state, agent);
    return s === undefined ? 0 : Math.max(0, ceilingOf(state, agent, s) - state.alignmentS[s]) / 1000;
  },
  /** Its own match to the subtask at hand. */
  ownMatch: (state, agent) => {
    const s = currentOf(state, agent);
    return s === undefined || agent === 0 ? 0 : matchOf(state, agent, s) / 1000;
  },
  /** Its match to the gaps the team has noticed. */
  matchToGaps: (state, agent, { wanted, gaps }) => {
    if (gaps === 0 || agent === 0) return 0;
    let sum = 0;
    for (const skill of state.project.members[agent].skills) sum += wanted.get(skill) ?? 0;
    return sum / gaps;
  },
  /** Steps until it is free, up to 4. */
  busyFor: (state, agent) => Math.min(4, Math.max(0, state.busyUntilN[agent] - state.step)) / 4,
  /** It has nothing it could work on. */
  isIdle: (state, agent) => (state.queueN[agent].some((s) => isReady(state, s)) ? 0 : 1),
  /** Share of its last 16 steps on communication. */
  recentTalk: (state, agent) => countBits(state.recentTalkN[agent]) / 16,
  /** Mean ΔAF others got from it so far, shrunk to 0.15 (two answers' worth); 1 is 0.5. */
  gainGiven: (state, agent) => shrunk(state.givenN[agent]) / 0.5,
  /** How many answers of its own that is, up to 8. */
  gainsGiven: (state, agent) => Math.min(8, state.givenN[agent].count) / 8,
  /** Mean ΔAF it got from others so far, shrunk alike. */
  gainReceived: (state, agent) => shrunk(state.receivedN[agent]) / 0.5,
  /** Share of its steps so far that went to work. */
  utilisation: (state, agent) => (state.step === 0 ? 0 : state.occupancy.work[agent] / state.step),
  /** Steps played, as a share of the most there can be. */
  elapsed: (state) => state.step / stepLimit,
} as const satisfies Record<string, Feature>;

export type WorkplaceFeatureName = keyof typeof workplaceFeatures;

export const workplaceFeatureNames = Object.keys(workplaceFeatures) as WorkplaceFeatureName[];

function countBits(bits: number): number {
  let count = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) count++;
  return count;
}
