import { adversaryCount, type WorkplaceRecipe } from "../../assemble/index.ts";
import type { WorkplaceCell } from "../../contracts/workplace/results.ts";
import { listCells } from "../../evaluate/workplace/index.ts";

/** The cells a recipe is judged in, and how starts name an attack where nobody attacks. @param rates shares of the workers */
export function gridOf(
  { decomposition, projects, attack, evaluate }: WorkplaceRecipe,
  rates?: readonly number[],
): { readonly cells: WorkplaceCell[]; readonly attack: { readonly attack: string; readonly onset: string } } {
  const { workers, tiers = projects.tier, tasks, decompositions = [decomposition], adversaries, onsets } = evaluate;
  const kind = evaluate.kind ?? attack.kind;
  const cells = listCells({
    tiers,
    workers,
    tasks,
    decompositions,
    adversaries: (size) => rates?.map((rate) => adversaryCount(rate, size)) ?? adversaries,
    attack: kind,
    onsets,
  });
  return { cells, attack: { attack: kind, onset: onsets[0] } };
}
