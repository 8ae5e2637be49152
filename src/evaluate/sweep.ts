import { ColloquyError, endsRun } from "../base/errors.ts";
import type { Environment, EpisodeStart } from "../contracts/environment.ts";
import type { Policy } from "../contracts/policy.ts";
import type { Question } from "../contracts/task.ts";
import type { EpisodeRecord } from "../contracts/trace.ts";
import { type EpisodeNumbers, reduceEpisode } from "./episode-numbers.ts";
import { runInOrder, stopped } from "./lanes.ts";
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

export interface Progress {
  readonly played: number;
  readonly planned: number;
  readonly method: string;
  readonly cell: Cell;
}

/** The episodes of one method in one cell, over all seeds. */
export interface Play {
  readonly world: string;
  readonly method: string;
  readonly cell: Cell;
  readonly episodes: readonly EpisodeNumbers[];
}

export interface Sweep {
  readonly plays: readonly Play[];
  readonly planned: number;
  readonly played: number;
  /** False when the signal, or an error that ends the run, ended it. */
  readonly complete: boolean;
  /** The error that ended it: a limit reached, a key refused. */
  readonly endedBy?: ColloquyError;
}

/**
 * Plays every method on the same starts: same questions, seeds, samples and attacks (common random numbers). Goes cell by
 * cell, so that an interrupted sweep leaves whole cells to compare.
 * @throws ColloquyError `evaluate/sweep`, `evaluate/questions`; and whatever `runEpisode` throws
 */
export async function sweep(settings: SweepSettings): Promise<Sweep> {
  const { methods, cells, questions, episodesPerCell, seeds, concurrency = 1, signal } = settings;
  checkSettings(settings);
  const planned = methods.length * cells.length * seeds.length * episodesPerCell;
  const plays: Play[] = [];
  const ending: Ending = {};
  let played = 0;
  for (const cell of cells) {
    const starts = seeds.flatMap((seed) => planStarts(questions, episodesPerCell, seed, cell));
    for (const method of methods) {
      if (signal?.aborted || ending.by !== undefined) break;
      const episodes: EpisodeNumbers[] = [];
      let lastError: string | undefined;
      plays.push({ world: method.environment.spec.name, method: method.name, cell, episodes });
      await runInOrder(
        starts,
        concurrency,
        (start) => play(method, start, settings, ending),
        (record) => {
          episodes.push(reduceEpisode(record));
          lastError = record.error ?? lastError;
          settings.onRecord?.(record, method.name, cell);
          played++;
          settings.onProgress?.({ played, planned, method: method.name, cell });
        },
      );
      if (episodes.length > 0 && episodes.every(({ outcome }) => outcome === "failed"))
        ending.by ??= allFailed(method.name, cell, lastError);
    }
  }
  return {
    plays: plays.filter(({ episodes }) => episodes.length > 0),
    planned,
    played,
    complete: played === planned && ending.by === undefined,
    ...(ending.by === undefined ? {} : { endedBy: ending.by }),
  };
}

function allFailed(method: string, cell: Cell, reason: string | undefined): ColloquyError {
  const message = `all episodes of ${method} (${describeCell(cell)}) failed, the last: ${reason?.split("\n")[0] ?? "unknown"}`;
  return new ColloquyError("evaluate/failed", message, { hint: "See to the reason first.", endsRun: true });
}

/** Filled by the first episode that cannot be played because nothing can any more. */
interface Ending {
  by?: ColloquyError;
}

async function play(
  { environment, policy }: Method,
  start: EpisodeStart,
  { runEpisode, signal }: SweepSettings,
  ending: Ending,
): Promise<EpisodeRecord | typeof stopped> {
  if (signal?.aborted) return stopped;
  try {
    const record = await runEpisode(environment, policy, signal ? { ...start, signal } : start);
    // An agent that was cut off by the signal looks like one that failed.
    return signal?.aborted && record.outcome === "failed" ? stopped : record;
  } catch (error) {
    if (signal?.aborted) return stopped;
    if (!endsRun(error)) throw error;
    ending.by ??= error;
    return stopped;
  }
}

function checkSettings({ methods, cells, seeds, episodesPerCell }: SweepSettings): void {
  refuseRepeats(
    "method",
    methods.map(({ name }) => name),
  );
  refuseRepeats("cell", cells.map(describeCell));
  refuseRepeats("seed", seeds.map(String));
  if (!(Number.isInteger(episodesPerCell) && episodesPerCell > 0)) {
    throw new ColloquyError("evaluate/sweep", `episodes per cell must be a positive integer, got ${episodesPerCell}`);
  }
}

function refuseRepeats(what: string, names: readonly string[]): void {
  if (names.length === 0) throw new ColloquyError("evaluate/sweep", `there is no ${what} to evaluate`);
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated === undefined) return;
  throw new ColloquyError("evaluate/sweep", `the ${what} "${repeated}" is given twice`, { hint: "Name each once." });
}
