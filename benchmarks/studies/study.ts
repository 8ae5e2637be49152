import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import {
  consoleResults,
  loadRecipe,
  type Results,
  type Sweep,
  summarizeSweep,
  writeReport,
  writeResults,
} from "colloquy";
import type { PlanName } from "./plans.ts";
import { plans } from "./plans.ts";
import { playedSplit, type SplitTask } from "./split.ts";

/** What a study trains and plays. */
export interface StudyPlan {
  readonly recipe: string;
  /** Seeds of the splits; each also seeds its run. */
  readonly splits: readonly number[];
  /** Changes to the recipe. */
  readonly set: readonly string[];
  readonly methods: readonly string[];
}

export interface StudyOptions {
  readonly command: string;
  /** Where runs and results go. */
  readonly out: string;
  /** Changes to the recipe from the command line. */
  readonly set: readonly string[];
  /** Splits instead of the plan's own. */
  readonly splits?: readonly number[];
  note(text: string): void;
}

/** What a study leaves to print. */
export interface StudyOutcome {
  readonly text: string;
  readonly isComplete: boolean;
  readonly results?: Results;
}

/**
 * Plays every split of a plan, as many at a time as there are processors, each in a process of its own (or takes what it
 * played before), and judges them together: a question of one split and the same question in another are different blocks.
 */
export async function runStudy(name: PlanName, options: StudyOptions): Promise<StudyOutcome> {
  const { out, set, note, command } = options;
  const plan = plans[name];
  const tasks = (options.splits ?? plan.splits).map((seed): SplitTask => ({ plan: name, seed, out, set }));
  await playAll(tasks, note);
  const played = await Promise.all(tasks.map(playedSplit));
  const sweeps = played.flatMap((saved) => (saved === undefined ? [] : [saved.sweep]));
  const splits = Object.fromEntries(
    tasks.map(({ seed }, i) => [`test of split ${seed}`, played[i]?.test ?? "missing"]),
  );
  const results = summarizeSweep(mergeSweeps(sweeps), await loadRecipe(plan.recipe, [...plan.set, ...set]), {
    command,
    splits,
    credits: played.flatMap((saved) => saved?.credits ?? []),
  });
  writeResults(results, out);
  note(`report: ${(await writeReport(out)).path}`);
  return { text: consoleResults(results), isComplete: results.complete && sweeps.length === tasks.length, results };
}

/** @throws Error where a split's process fails, once the others that were under way have ended */
async function playAll(tasks: readonly SplitTask[], note: (text: string) => void): Promise<void> {
  const waiting = tasks.slice();
  const failed: SplitTask[] = [];
  const lane = async (): Promise<void> => {
    for (let task = waiting.shift(); task !== undefined && failed.length === 0; task = waiting.shift()) {
      if ((await playedSplit(task)) === undefined && !(await playApart(task, note))) failed.push(task);
    }
  };
  await Promise.all(Array.from({ length: Math.min(tasks.length, availableParallelism()) }, lane));
  if (failed.length > 0) {
    const seeds = failed.map(({ seed }) => seed).join(" and ");
    throw new Error(`split ${seeds} failed, see above; the same command goes on`);
  }
}

/** @returns whether it ended well */
function playApart(task: SplitTask, note: (text: string) => void): Promise<boolean> {
  const child = spawn(process.execPath, [join(import.meta.dirname, "split-process.mjs"), JSON.stringify(task)], {
    stdio: ["ignore", "inherit", "pipe"],
  });
  const stop = (): boolean => child.kill("SIGTERM");
  process.once("SIGTERM", stop).once("exit", stop);
  child.stderr.setEncoding("utf8").on("data", (text: string) => note(text.trimEnd()));
  return new Promise((resolve) => {
    child.on("error", () => resolve(false));
    child.on("close", (code) => {
      process.off("SIGTERM", stop).off("exit", stop);
      resolve(code === 0);
    });
  });
}

/** Puts the episodes of one method in one cell together. */
export function mergeSweeps(sweeps: readonly Sweep[]): Sweep {
  const plays = new Map<string, Sweep["plays"][number]>();
  const cells = new Map<string, Sweep["plays"][number]["cell"]>();
  for (const play of sweeps.flatMap((sweep) => sweep.plays)) {
    // Comparisons are made within one cell, which is the same object for all of its methods.
    const cell = cells.get(JSON.stringify(play.cell)) ?? play.cell;
    cells.set(JSON.stringify(cell), cell);
    const key = JSON.stringify([play.method, cell]);
    const known = plays.get(key);
    plays.set(key, { ...play, cell, episodes: [...(known?.episodes ?? []), ...play.episodes] });
  }
  const total = (of: (sweep: Sweep) => number): number => sweeps.reduce((sum, sweep) => sum + of(sweep), 0);
  return {
    plays: [...plays.values()],
    planned: total((sweep) => sweep.planned),
    played: total((sweep) => sweep.played),
    complete: sweeps.every((sweep) => sweep.complete),
  };
}
