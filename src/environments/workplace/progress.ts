import type { Plan } from "../../contracts/workplace/project.ts";

/**
 * A parent task's progress, Σ wᵢPᵢ / Σ wᵢ with the effort of a subtask for its weight wᵢ and the share of it that is done for
 * Pᵢ (C2C, section 3.4): so it is the effort done, as a share of all.
 * @param leftS units left of each subtask
 * @returns 0 to 1; 1 only where every subtask is done
 */
export function taskProgress({ subtasks }: Plan, leftS: ArrayLike<number>, task: number): number {
  let effort = 0;
  let left = 0;
  subtasks.forEach((subtask, s) => {
    if (subtask.task !== task) return;
    effort += subtask.effort;
    left += leftS[s];
  });
  return effort === 0 ? 1 : (effort - left) / effort;
}
