import { ColloquyError, endsRun } from "../base/errors.ts";
import type { EpisodeTrace } from "../contracts/trace.ts";
import { runInOrder, stopped } from "./lanes.ts";

/** Methods that are played on the same starts, cell by cell. M a method, C a cell, S a start, R a record. */
export interface CellPlan<M extends { readonly name: string }, C, S, R extends EpisodeTrace> {
  readonly methods: readonly M[];
  readonly cells: readonly C[];
  /** The same for every method. */
  startsOf(cell: C): readonly S[];
  /** A cell in words. */
  describe(cell: C): string;
  /** Plays one episode. Failures of agents come back as records; anything it throws ends all. */
  play(method: M, cell: C, start: S): Promise<R>;
  /** Every record, in the order of the starts. */
  onRecord(record: R, method: M, cell: C, start: S): void;
  onProgress?(progress: CellProgress<C>): void;
  /** Episodes at a time; the results do not depend on it. Matters only for agents that wait. Default 1. */
  readonly concurrency?: number;
  /** Ends it early. */
  readonly signal?: AbortSignal;
}

export interface CellProgress<C> {
  readonly played: number;
  readonly planned: number;
  readonly method: string;
  readonly cell: C;
}

/** How far it came. */
export interface CellsPlayed {
  readonly planned: number;
  readonly played: number;
  /** False when the signal, or an error that ends the run, ended it. */
  readonly complete: boolean;
  /** The error that ended it: a limit reached, a key refused. */
  readonly endedBy?: ColloquyError;
}

/**
 * Goes cell by cell, so that what was interrupted leaves whole cells to compare.
 * @throws ColloquyError `evaluate/sweep` where a method or a cell is missing or given twice; and whatever `play` throws
 */
export async function playCells<M extends { readonly name: string }, C, S, R extends EpisodeTrace>(
  plan: CellPlan<M, C, S, R>,
): Promise<CellsPlayed> {
  const { methods, cells, concurrency = 1, signal, describe } = plan;
  refuseRepeats(
    "method",
    methods.map(({ name }) => name),
  );
  refuseRepeats("cell", cells.map(describe));
  const starts = cells.map((cell) => plan.startsOf(cell));
  const planned = methods.length * starts.reduce((sum, { length }) => sum + length, 0);
  const ending: Ending = {};
  let played = 0;
  for (const [c, cell] of cells.entries()) {
    for (const method of methods) {
      if (signal?.aborted || ending.by !== undefined) break;
      const count = { all: 0, failed: 0, lastError: undefined as string | undefined };
      await runInOrder(
        starts[c],
        concurrency,
        (start) => playOne(() => plan.play(method, cell, start), signal, ending),
        (record, start) => {
          count.all++;
          if (record.outcome === "failed") count.failed++;
          count.lastError = record.error ?? count.lastError;
          plan.onRecord(record, method, cell, start);
          played++;
          plan.onProgress?.({ played, planned, method: method.name, cell });
        },
      );
      if (count.all > 0 && count.failed === count.all)
        ending.by ??= allFailed(method.name, describe(cell), count.lastError);
    }
  }
  return {
    planned,
    played,
    complete: played === planned && ending.by === undefined,
    ...(ending.by === undefined ? {} : { endedBy: ending.by }),
  };
}

function allFailed(method: string, cell: string, reason: string | undefined): ColloquyError {
  const message = `all episodes of ${method} (${cell}) failed, the last: ${reason?.split("\n")[0] ?? "unknown"}`;
  return new ColloquyError("evaluate/failed", message, { hint: "See to the reason first.", endsRun: true });
}

/** Filled by the first episode that cannot be played because nothing can any more. */
interface Ending {
  by?: ColloquyError;
}

async function playOne<R extends EpisodeTrace>(
  play: () => Promise<R>,
  signal: AbortSignal | undefined,
  ending: Ending,
): Promise<R | typeof stopped> {
  if (signal?.aborted) return stopped;
  try {
    const record = await play();
    // An agent that was cut off by the signal looks like one that failed.
    return signal?.aborted && record.outcome === "failed" ? stopped : record;
  } catch (error) {
    if (signal?.aborted) return stopped;
    if (!endsRun(error)) throw error;
    ending.by ??= error;
    return stopped;
  }
}

/** @throws ColloquyError `evaluate/sweep` */
export function refuseRepeats(what: string, names: readonly string[]): void {
  if (names.length === 0) throw new ColloquyError("evaluate/sweep", `there is no ${what} to evaluate`);
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated === undefined) return;
  throw new ColloquyError("evaluate/sweep", `the ${what} "${repeated}" is given twice`, { hint: "Name each once." });
}
