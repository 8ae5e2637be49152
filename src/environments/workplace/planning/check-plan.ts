import { ColloquyError } from "../../../base/errors.ts";
import type { Plan, Project } from "../../../contracts/workplace/project.ts";

/**
 * Checks a manager's plan: subtasks of tasks there are, with whole effort, owned by workers, and without a cycle among what
 * waits for what. @throws ColloquyError `workplace/plan` naming the first subtask that is wrong
 */
export function checkPlan({ subtasks, owners }: Plan, { id, members, tasks }: Project): void {
  const fail = (how: string): never => {
    throw new ColloquyError("workplace/plan", `the plan of project ${id} ${how}`, {
      hint: "A plan has an owner from 1 to W and a whole, positive effort for each subtask, and no subtask waits for itself, not even through others.",
    });
  };
  const isSubtask = (s: number): boolean => Number.isInteger(s) && s >= 0 && s < subtasks.length;
  if (subtasks.length === 0) fail("has no subtasks");
  if (owners.length !== subtasks.length) fail(`has ${owners.length} owners for ${subtasks.length} subtasks`);
  subtasks.forEach(({ task, effort, after, linked, clarity }, s) => {
    if (!Number.isInteger(task) || task < 0 || task >= tasks.length) fail(`has subtask ${s} of task ${task}`);
    if (!Number.isInteger(effort) || effort < 1) fail(`has the effort ${effort} for subtask ${s}`);
    if (!Number.isInteger(owners[s]) || owners[s] < 1 || owners[s] >= members.length)
      fail(`gives subtask ${s} to agent ${owners[s]}`);
    if (!(clarity >= 0 && clarity <= 1000)) fail(`has the clarity ${clarity} for subtask ${s}`);
    if (new Set(after).size !== after.length) fail(`lets subtask ${s} wait for another one twice`);
    const stranger = [...after, ...linked].find((other) => !isSubtask(other) || other === s);
    if (stranger !== undefined) fail(`joins subtask ${s} with subtask ${stranger}`);
  });
  const waiting = findCycle(subtasks);
  if (waiting !== undefined) fail(`lets subtask ${waiting} wait for itself`);
}

/** A subtask that can never begin as it waits, through others, for itself or for one that does. */
function findCycle(subtasks: Plan["subtasks"]): number | undefined {
  const blockers = subtasks.map(({ after }) => after.length);
  const dependents: number[][] = subtasks.map(() => []);
  subtasks.forEach(({ after }, s) => {
    for (const other of after) dependents[other].push(s);
  });
  const ready = [...blockers.keys()].filter((s) => blockers[s] === 0);
  for (const s of ready) for (const other of dependents[s]) if (--blockers[other] === 0) ready.push(other);
  const stuck = blockers.findIndex((count) => count > 0);
  return stuck < 0 ? undefined : stuck;
}
