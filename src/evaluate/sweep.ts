import { ColloquyError } from "../base/errors.ts";
import type { Environment, EpisodeStart } from "../contracts/environment.ts";
import type { Policy } from "../contracts/policy.ts";
import type { Question } from "../contracts/task.ts";
import type { EpisodeRecord } from "../contracts/trace.ts";
import { type EpisodeNumbers, reduceEpisode } from "./episode-numbers.ts";
import { type CellProgress, type CellsPlayed, playCells, refuseRepeats } from "./play-cells.ts";
import { type Cell, describeCell, planStarts } from "./starts.ts";

/** What is compared: a policy in an environment with its topology rule. */
export interface Method {
  readonly name: string;
  readonly environment: Environment;
  readonly policy: Policy;
}

export interface SweepSettings {
  readonly methods: readonly Method[];
  readonly cells: readonly Cell[];
  readonly questions: readonly Question[];
  /** Episodes of a method in a cell under each seed. */
  readonly episodesPerCell: number;
  readonly seeds: readonly number[];
  /** Plays one episode. Failures of agents come back as records; anything it throws ends the sweep. */
  runEpisode(environment: Environment, policy: Policy, start: EpisodeStart): Promise<EpisodeRecord>;
  /** Episodes at a time; the results do not depend on it. Matters only for agents that wait. Default 1. */
  readonly concurrency?: number;
  onProgress?(progress: Progress): void;
  /** Every record, in index order; the sweep itself keeps only numbers. */
  onRecord?(record: EpisodeRecord, method: string, cell: Cell): void;
  /** Ends the sweep early; what is complete is returned. */
  readonly signal?: AbortSignal;
}

export type Progress = CellProgress<Cell>;

/** The episodes of one method in one cell, over all seeds. */
export interface Play {
  readonly world: string;
  readonly method: string;
  readonly cell: Cell;
  readonly episodes: readonly EpisodeNumbers[];
}

export interface Sweep extends CellsPlayed {
  readonly plays: readonly Play[];
}

/**
 * Plays every method on the same starts: same questions, seeds, samples and attacks (common random numbers). Goes cell by
 * cell, so that an interrupted sweep leaves whole cells to compare.
 * @throws ColloquyError `evaluate/sweep`, `evaluate/questions`; and whatever `runEpisode` throws
 */
export async function sweep(settings: SweepSettings): Promise<Sweep> {
  const { methods, cells, questions, episodesPerCell, seeds, concurrency, signal, onProgress } = settings;
  refuseRepeats("seed", seeds.map(String));
  if (!(Number.isInteger(episodesPerCell) && episodesPerCell > 0)) {
    throw new ColloquyError("evaluate/sweep", `episodes per cell must be a positive integer, got ${episodesPerCell}`);
  }
  const plays: (Play & { readonly episodes: EpisodeNumbers[] })[] = [];
  const come = await playCells<Method, Cell, EpisodeStart, EpisodeRecord>({
    methods,
    cells,
    startsOf: (cell) => seeds.flatMap((seed) => planStarts(questions, episodesPerCell, seed, cell)),
    describe: describeCell,
    play: ({ environment, policy }, _cell, start) =>
      settings.runEpisode(environment, policy, signal ? { ...start, signal } : start),
    onRecord: (record, { name: method, environment }, cell) => {
      let play = plays.at(-1);
      if (play?.method !== method || play.cell !== cell) {
        play = { world: environment.spec.name, method, cell, episodes: [] };
        plays.push(play);
      }
      play.episodes.push(reduceEpisode(record));
      settings.onRecord?.(record, method, cell);
    },
    onProgress,
    concurrency,
    signal,
  });
  return { plays, ...come };
}
