import { groupBy } from "../../../base/group-by.ts";
import type { Plan, Project, Subtask, TaskBrief } from "../../../contracts/workplace/project.ts";
import { assign } from "./assign.ts";
import { cutTask, depthsOf, evenRuns } from "./cut.ts";
import { subtaskCount, type TierSettings } from "./tiers.ts";

/** Groups a task's requirements (by index) into subtasks for W workers. Groups are runs of a topological order. */
type Decompose = (brief: TaskBrief, workers: number, tier: TierSettings) => readonly (readonly number[])[];

/** As somebody would write it down by hand: component by component, in as many parts as four workers need, whoever is there. */
const manual: Decompose = ({ requirements }, _workers, tier) => {
  const byComponent = groupBy([...requirements.keys()], (r) => requirements[r].component);
  const each = Math.max(1, Math.round(subtaskCount(tier, 4) / byComponent.size));
  return [...byComponent.values()].flatMap((own) => evenRuns(own, Math.min(each, own.length), () => 1));
};

/** As many requirements each, in the order they are listed, whatever they need. */
const naive: Decompose = ({ requirements }, workers, tier) =>
  evenRuns([...requirements.keys()], subtaskCount(tier, workers), () => 1);

/** Phase by phase, then component by component: what waits for something comes in a later phase. */
const hierarchical: Decompose = ({ requirements }, workers, tier) => {
  const depths = depthsOf(requirements);
  const phases = groupBy([...requirements.keys()], (r) => depths[r]);
  const total = subtaskCount(tier, workers);
  return [...phases.keys()]
    .sort((a, b) => a - b)
    .flatMap((depth) => {
      const own = phases.get(depth)!.sort((a, b) => requirements[a].component - requirements[b].component || a - b);
      return evenRuns(
        own,
        Math.min(own.length, Math.max(1, Math.round((total * own.length) / requirements.length))),
        () => 1,
      );
    });
};

/**
 * By skill and by load: what needs the same skill and can begin at the same time goes together, cut to even effort, so that
 * each part has one worker who knows it well.
 */
const adaptive: Decompose = ({ requirements }, workers, tier) => {
  const depths = depthsOf(requirements);
  const total = requirements.reduce((sum, { effort }) => sum + effort, 0);
  const share = total / subtaskCount(tier, workers);
  const blocks = groupBy([...requirements.keys()], (r) => `${depths[r]} ${requirements[r].skill}`);
  const effortOf = (r: number): number => requirements[r].effort;
  return [...blocks.keys()].sort().flatMap((key) => {
    const own = blocks.get(key)!;
    const effort = own.reduce((sum, r) => sum + effortOf(r), 0);
    return evenRuns(own, Math.min(own.length, Math.max(1, Math.round(effort / share))), effortOf);
  });
};

/** The manager's ways of cutting tasks into subtasks (C2C, section 4.4.2, compares the first four). */
export const decompositions = {
  adaptive: { summary: "by skill and load: what one worker knows well goes together", decompose: adaptive },
  manual: { summary: "by hand: component by component, whatever the team", decompose: manual },
  naive: { summary: "as many requirements each, in the order they are listed", decompose: naive },
  hierarchical: { summary: "phase by phase, then component by component", decompose: hierarchical },
} as const;

export type DecompositionName = keyof typeof decompositions | "equal";

/** @returns the plan of a project: its subtasks, and who begins with which by skill and load */
export function makePlan(project: Project, name: DecompositionName, tier: TierSettings): Plan {
  const workers = project.members.length - 1;
  if (name === "equal") return equalShares(project, workers);
  const subtasks: Subtask[] = [];
  project.tasks.forEach((brief, task) => {
    const groups = decompositions[name].decompose(brief, workers, tier);
    subtasks.push(...cutTask(brief, groups, task, subtasks.length));
  });
  return { subtasks, owners: assign(subtasks, project.members) };
}

/** One equal share a worker and nothing that waits: the case whose time has a closed form. */
function equalShares({ tasks }: Project, workers: number): Plan {
  const subtasks = tasks.flatMap(({ title, requirements }, task) => {
    const effort = requirements.reduce((sum, requirement) => sum + requirement.effort, 0);
    return Array.from(
      { length: workers },
      (_, w): Subtask => ({
        task,
        title: `${title}, share ${w + 1} of ${workers}`,
        skills: [],
        topics: [],
        effort: Math.floor((effort * (w + 1)) / workers) - Math.floor((effort * w) / workers),
        after: [],
        linked: [],
        clarity: 1000,
      }),
    );
  });
  return { subtasks, owners: subtasks.map((_, s) => 1 + (s % workers)) };
}
