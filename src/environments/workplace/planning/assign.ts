import type { Member, Subtask } from "../../../contracts/workplace/project.ts";

/** The share of some work's skills that a member has, in thousandths. A manager knows a little of everything: half. */
export function skillMatch({ skills }: Member, wanted: readonly string[], isManager: boolean): number {
  if (isManager) return 500;
  if (wanted.length === 0) return 1000;
  const held = wanted.filter((skill) => skills.includes(skill)).length;
  return Math.round((1000 * held) / wanted.length);
}

/** What a missing skill adds to the effort, as far as assigning goes. */
const missingSkill = 0.15;

/**
 * Gives each subtask to a worker by skill and load: the largest first, to whoever would be done soonest, where a missing
 * skill counts as 15 % more work; ties go to the lower number. @returns 1..W for each subtask
 */
export function assign(subtasks: readonly Subtask[], members: readonly Member[]): number[] {
  const owners = new Array<number>(subtasks.length).fill(0);
  const load = new Float64Array(members.length);
  const order = subtasks.map((_, s) => s).sort((a, b) => subtasks[b].effort - subtasks[a].effort || a - b);
  for (const s of order) {
    const { effort, skills } = subtasks[s];
    let best = 1;
    let bestEnd = Infinity;
    for (let w = 1; w < members.length; w++) {
      const match = skillMatch(members[w], skills, false) / 1000;
      const end = load[w] + effort * (1 + missingSkill * (1 - match));
      if (end < bestEnd) {
        best = w;
        bestEnd = end;
      }
    }
    owners[s] = best;
    load[best] = bestEnd;
  }
  return owners;
}
