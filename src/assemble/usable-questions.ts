import { ColloquyError } from "../base/errors.ts";
import type { Population } from "../contracts/population.ts";
import type { Question } from "../contracts/task.ts";

/**
 * The questions that can be judged and, where somebody attacks, attacked.
 * @throws ColloquyError `population/no-adversaries`, `population/no-gold` where none is left
 */
export function chooseUsable(
  all: readonly Question[],
  population: Population,
  isAttacked: boolean,
  place: string,
): { readonly usable: readonly Question[]; readonly warnings: readonly string[] } {
  const judged = all.filter(({ gold, code }) => gold !== null || code !== undefined);
  if (judged.length === 0 && all.length > 0) {
    throw new ColloquyError(
      "population/no-gold",
      `none of the ${all.length} questions in ${place} has a right answer`,
      {
        hint: "Name the field that holds it (task.fields.answer). `colloquy run` asks questions without one.",
      },
    );
  }
  const usable = judged.filter((question) => !isAttacked || population.targets(question).length > 0);
  if (usable.length === 0 && all.length > 0) {
    throw new ColloquyError(
      "population/no-adversaries",
      `none of the ${all.length} questions in ${place} can be attacked: there is no wrong answer an adversary could argue for`,
      {
        hint: "Use them without attack (attack.adversaries: [0], evaluate.adversaries: [0]), or use others.",
      },
    );
  }
  const left = all.length - usable.length;
  const warnings =
    left === 0
      ? []
      : [`${left} of ${all.length} questions have no gold answer or nothing an adversary could say; left out`];
  return { usable, warnings };
}
