import type { Requirement, Subtask, TaskBrief } from "../../../contracts/workplace/project.ts";

/** How far a requirement stands from those that wait for nothing: 0 for these, else one more than the furthest it waits for. */
export function depthsOf(requirements: readonly Requirement[]): number[] {
  const depths: number[] = [];
  // A requirement waits for earlier ones alone, so one pass is enough.
  for (const { after } of requirements) depths.push(after.reduce((depth, r) => Math.max(depth, depths[r] + 1), 0));
  return depths;
}

/**
 * Makes a subtask of each group of requirements. Where groups are runs of some topological order of the requirements, the
 * subtasks have no cycle: one waits for another where any of its requirements does.
 * @param task index of the task in the project
 * @param first index that the first subtask will have in the plan
 */
export function cutTask(
  brief: TaskBrief,
  groups: readonly (readonly number[])[],
  task: number,
  first: number,
): Subtask[] {
  const groupOf = new Map(groups.flatMap((group, g) => group.map((r) => [r, g] as const)));
  const partsOf = groups.map((group) => group.map((r) => brief.requirements[r]));
  const after = partsOf.map((parts, g) => {
    const waitsFor = new Set(parts.flatMap(({ after }) => after.map((r) => groupOf.get(r)!)));
    return [...waitsFor].filter((other) => other !== g).sort((a, b) => a - b);
  });
  const componentsOf = partsOf.map((parts) => new Set(parts.map(({ component }) => component)));
  const touch = (g: number, h: number): boolean =>
    g !== h &&
    (after[g].includes(h) || after[h].includes(g) || [...componentsOf[g]].some((c) => componentsOf[h].has(c)));
  return partsOf.map((parts, g) => ({
    task,
    title: parts.length === 1 ? parts[0].title : `${parts[0].title}; and ${parts.length - 1} more`,
    skills: [...new Set(parts.map(({ skill }) => skill))],
    topics: parts.flatMap(({ topics }) => topics),
    effort: parts.reduce((sum, { effort }) => sum + effort, 0),
    after: after[g].map((other) => first + other),
    linked: [...groups.keys()].filter((h) => touch(g, h)).map((other) => first + other),
    clarity: clarityOf(parts),
  }));
}

/** What one skill, and what one component, add to the clarity of a subtask that is all of it. */
const skillShare = 0.7;
const componentShare = 0.3;

/** Clarity in thousandths: the share of the effort that is of its main skill, and of its main component. */
function clarityOf(parts: readonly Requirement[]): number {
  const total = parts.reduce((sum, { effort }) => sum + effort, 0);
  const largest = (key: (part: Requirement) => string | number): number => {
    const sums = new Map<string | number, number>();
    for (const part of parts) sums.set(key(part), (sums.get(key(part)) ?? 0) + part.effort);
    return Math.max(...sums.values()) / total;
  };
  return Math.round(1000 * (skillShare * largest(({ skill }) => skill) + componentShare * largest((p) => p.component)));
}

/** Cuts a list into `count` runs of about equal weight; none is empty. */
export function evenRuns<T>(items: readonly T[], count: number, weightOf: (item: T) => number): T[][] {
  const runs: T[][] = [];
  let left = items.reduce((sum, item) => sum + weightOf(item), 0);
  let run: T[] = [];
  let weight = 0;
  items.forEach((item, k) => {
    const open = Math.max(1, count - runs.length);
    const added = weightOf(item);
    // Closed before an item that would carry it further past its share than it now falls short.
    if (run.length > 0 && open > 1 && weight + added / 2 > left / open) {
      runs.push(run);
      left -= weight;
      run = [];
      weight = 0;
    }
    run.push(item);
    weight += added;
    // The rest needs an item for each run that is still to come.
    if (runs.length + 1 < count && items.length - k - 1 === count - runs.length - 1) {
      runs.push(run);
      left -= weight;
      run = [];
      weight = 0;
    }
  });
  if (run.length > 0) runs.push(run);
  return runs;
}
