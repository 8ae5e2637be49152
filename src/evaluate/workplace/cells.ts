import type { EpisodeStart } from "../../contracts/environment.ts";
import type { WorkplaceCell } from "../../contracts/workplace/results.ts";

/** What cells are made of: every combination is one. */
export interface WorkplaceGrid {
  readonly tiers: readonly WorkplaceCell["tier"][];
  readonly workers: readonly number[];
  readonly tasks: readonly number[];
  readonly decompositions: readonly string[];
  /** Adversaries among so many workers. */
  adversaries(workers: number): readonly number[];
  readonly attack: string;
  readonly onsets: readonly string[];
}

/** All cells, those of one kind of project together; without adversaries there is one cell, whatever the onsets. */
export function listCells(grid: WorkplaceGrid): WorkplaceCell[] {
  const attacks = (workers: number) =>
    [...new Set(grid.adversaries(workers))].flatMap((adversaries) =>
      adversaries === 0
        ? [{ adversaries, attack: "none", onset: "" }]
        : grid.onsets.map((onset) => ({ adversaries, attack: grid.attack, onset })),
    );
  return grid.tiers.flatMap((tier) =>
    grid.tasks.flatMap((tasks) =>
      grid.decompositions.flatMap((decomposition) =>
        grid.workers.flatMap((workers) =>
          attacks(workers).map((attack) => ({ tier, workers, tasks, decomposition, ...attack })),
        ),
      ),
    ),
  );
}

/** How an episode of a cell is attacked. @param usual the kind that is named where nobody attacks */
export const attackOf = (
  { adversaries, attack, onset }: WorkplaceCell,
  usual: { readonly attack: string; readonly onset: string },
): EpisodeStart["attack"] =>
  adversaries === 0 ? { kind: usual.attack, adversaries, onset: usual.onset } : { kind: attack, adversaries, onset };

/** One cell in words: `complex, 1+4, 1 of 4 workers misleads from the first step`. */
export function describeCell({
  tier,
  workers,
  tasks,
  decomposition,
  adversaries,
  attack,
  onset,
}: WorkplaceCell): string {
  return [
    tier,
    `1+${workers} agents`,
    ...(tasks === 1 ? [] : [`${tasks} tasks at once`]),
    ...(decomposition === "adaptive" ? [] : [`cut ${decomposition}`]),
    ...(adversaries === 0 ? [] : [`${adversaries} adversarial (${attack}, ${onset})`]),
  ].join(", ");
}
