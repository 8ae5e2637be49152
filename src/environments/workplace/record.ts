import { sumKnown } from "../../base/stats.ts";
import type { EpisodeStart } from "../../contracts/environment.ts";
import type { DecisionRecord } from "../../contracts/trace.ts";
import type { MindUsage } from "../../contracts/workplace/mind.ts";
import type { Project } from "../../contracts/workplace/project.ts";
import type { WorkplaceRecord } from "../../contracts/workplace/record.ts";
import { taskProgress } from "./progress.ts";
import { stepLimit } from "./settings.ts";
import type { WorkState } from "./state.ts";

/** Versioned name of this world. */
export const workplaceName = "workplace-v1";

/** What is kept of an episode; whole once it has ended. */
export function recordOf(
  state: WorkState,
  start: EpisodeStart<Project>,
  { firstRound }: { readonly firstRound: readonly number[] },
  decisions: readonly DecisionRecord[],
): WorkplaceRecord {
  const { project, plan, occupancy } = state;
  const { seed, sample, branch, attack } = start;
  const usage = usageOf(state);
  const isFinished = state.doneAtS.every((at) => at >= 0);
  return {
    environment: workplaceName,
    question: project.id,
    seed,
    sample,
    ...(branch === undefined ? {} : { branch }),
    attack,
    onsets: firstRound,
    decisions,
    utility: isFinished ? 1 - state.step / stepLimit : 0,
    outcome: isFinished ? "finished" : "unfinished",
    calls: usage.calls,
    tokens: usage.tokens,
    ...(usage.cost === 0 ? {} : { cost: usage.cost }),
    tier: project.tier,
    workers: state.agents - 1,
    steps: state.step,
    doneAt: project.tasks.map((_, task) => {
      const own = plan.subtasks.flatMap((subtask, s) => (subtask.task === task ? [state.doneAtS[s]] : []));
      return own.includes(-1) ? null : Math.max(...own);
    }),
    progress: project.tasks.map((_, task) => taskProgress(plan, state.leftS, task)),
    effort: plan.subtasks.reduce((sum, { effort }) => sum + effort, 0),
    communicationMinutes: state.minutes,
    occupancy: {
      work: Array.from(occupancy.work),
      communicate: Array.from(occupancy.communicate),
      reply: Array.from(occupancy.reply),
      meeting: Array.from(occupancy.meeting),
      wait: Array.from(occupancy.wait),
    },
    alignment: alignmentOf(state),
    sent: { ...state.sent },
    channels: { ...state.channels },
    gains: structuredClone(state.gains),
    responses: structuredClone(state.responses),
    pairs: pairsOf(state),
    subtasks: {
      count: plan.subtasks.length,
      clarity: Math.round(plan.subtasks.reduce((sum, { clarity }) => sum + clarity, 0) / plan.subtasks.length),
      reassigned: state.reassigned,
    },
    meetings: { held: state.held, cancelled: state.cancelled },
    faults: state.faults,
    malformed: usage.malformed,
    ...(state.events === null ? {} : { events: state.events }),
  };
}

function usageOf({ minds }: WorkState): MindUsage {
  const usages = minds.flatMap((mind) => mind.usage?.() ?? []);
  const sum = (amountOf: (usage: MindUsage) => number): number =>
    usages.reduce((total, usage) => total + amountOf(usage), 0);
  return {
    calls: sum(({ calls }) => calls),
    tokens: usages.length === 0 ? 0 : sumKnown(usages.map(({ tokens }) => tokens)),
    cost: usages.length === 0 ? 0 : sumKnown(usages.map(({ cost }) => cost)),
    malformed: sum(({ malformed }) => malformed),
  };
}

/** Means in [0, 1] over subtasks: AF of the owner at the end, and over the steps that were worked. */
function alignmentOf({ alignmentS, alignmentSumS, workedS }: WorkState): {
  readonly final: number;
  readonly mean: number;
} {
  const total = (values: ArrayLike<number>): number =>
    Array.prototype.reduce.call(values, (a, b) => (a as number) + b, 0) as number;
  const worked = total(workedS);
  return {
    final: total(alignmentS) / alignmentS.length / 1000,
    mean: worked === 0 ? 0 : total(alignmentSumS) / worked / 1000,
  };
}

function pairsOf({ pairCounts, agents }: WorkState): [number, number, number][] {
  return [...pairCounts]
    .sort(([a], [b]) => a - b)
    .map(([pair, count]) => [Math.floor(pair / agents), pair % agents, count]);
}
