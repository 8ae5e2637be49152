import type { EpisodeStart } from "../../contracts/environment.ts";
import type { Project } from "../../contracts/workplace/project.ts";
import type { WorkplaceRecord } from "../../contracts/workplace/record.ts";
import type { WorkplaceCell } from "../../contracts/workplace/results.ts";
import { type CellProgress, type CellsPlayed, playCells, refuseRepeats } from "../play-cells.ts";
import { planStarts } from "../starts.ts";
import { attackOf, describeCell } from "./cells.ts";
import { reduceRecord, type WorkplaceNumbers } from "./numbers.ts";

/** One episode that is to be played. */
export interface WorkplaceEpisode {
  readonly method: string;
  readonly cell: WorkplaceCell;
  readonly start: EpisodeStart<Project>;
}

export interface WorkplaceSweepSettings {
  readonly methods: readonly string[];
  readonly cells: readonly WorkplaceCell[];
  projectsOf(cell: WorkplaceCell): readonly Project[];
  /** Kind and onset of attacks that starts name where nobody attacks. */
  readonly attack: { readonly attack: string; readonly onset: string };
  /** Episodes of a method in a cell under each seed. */
  readonly episodes: number;
  readonly seeds: readonly number[];
  play(episode: WorkplaceEpisode): Promise<WorkplaceRecord>;
  /** Every record, in the order of the starts; the sweep itself keeps only numbers. */
  onRecord?(record: WorkplaceRecord, episode: WorkplaceEpisode): void;
  onProgress?(progress: CellProgress<WorkplaceCell>): void;
  readonly concurrency?: number;
  readonly signal?: AbortSignal;
}

/** The episodes of one method in one cell, over all seeds. */
export interface WorkplacePlay {
  readonly method: string;
  readonly cell: WorkplaceCell;
  readonly episodes: readonly WorkplaceNumbers[];
}

export interface WorkplaceSweep extends CellsPlayed {
  readonly plays: readonly WorkplacePlay[];
}

/**
 * Plays every method on the same starts: same projects, seeds and attacks (common random numbers).
 * @throws ColloquyError `evaluate/sweep`, `evaluate/questions`; and whatever `play` throws
 */
export async function sweepWorkplace(settings: WorkplaceSweepSettings): Promise<WorkplaceSweep> {
  const { methods, cells, episodes, seeds, signal, concurrency, onProgress } = settings;
  refuseRepeats("seed", seeds.map(String));
  const plays = new Map<string, WorkplacePlay & { readonly episodes: WorkplaceNumbers[] }>();
  const come = await playCells({
    methods: methods.map((name) => ({ name })),
    cells,
    startsOf: (cell) => {
      const projects = settings.projectsOf(cell);
      return seeds.flatMap((seed) => planStarts(projects, episodes, seed, attackOf(cell, settings.attack)));
    },
    describe: describeCell,
    play: ({ name }, cell, start) =>
      settings.play({ method: name, cell, start: signal === undefined ? start : { ...start, signal } }),
    onRecord: (record, { name: method }, cell, start) => {
      const key = JSON.stringify([method, describeCell(cell)]);
      const play = plays.get(key) ?? { method, cell, episodes: [] };
      plays.set(key, play);
      play.episodes.push(reduceRecord(record));
      settings.onRecord?.(record, { method, cell, start });
    },
    onProgress,
    concurrency,
    signal,
  });
  return { plays: [...plays.values()], ...come };
}
