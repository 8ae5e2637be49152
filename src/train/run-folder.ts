import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ColloquyError } from "../base/errors.ts";
import { readText, writeError, writeFileAtomic } from "../base/files.ts";
import { canonicalJson, isRecord, parseJson } from "../base/json.ts";
import { appendJsonLines, type JsonLinesWriter } from "../base/jsonl.ts";
import { lockFolder } from "../base/lock.ts";

/** The logs of a run. Wall-clock figures go to `timing` alone, so that the others are byte-equal for a seed and a backend. */
export interface RunLogs {
  readonly metrics: JsonLinesWriter;
  readonly episodes: JsonLinesWriter;
  readonly timing: JsonLinesWriter;
}

/**
 * Bytes of each log that belong to a saved state; what was written later is cut off when the run goes on from it. Timings
 * are cut by update instead: their size is a matter of the clock, and a checkpoint must not depend on it.
 */
export type LogSizes = Readonly<Record<"metrics" | "episodes", number>>;

const logNames = ["metrics", "episodes", "timing"] as const;

/**
 * Takes a run folder for this process and checks that it belongs to this recipe. `fresh` empties it first.
 * @param recipe plain JSON; kept as `recipe.json`
 * @returns the function that gives the folder back
 * @throws ColloquyError `folder/locked`, `run/recipe-changed` (with the keys that differ), `run/recipe-missing`, `file/write`
 */
export function takeRunFolder(folder: string, recipe: unknown, environment: unknown, fresh: boolean): () => void {
  const release = lockFolder(folder);
  try {
    const path = join(folder, "recipe.json");
    if (!existsSync(path) && existsSync(join(folder, "checkpoints", "last"))) {
      throw new ColloquyError("run/recipe-missing", `${folder} holds a run's checkpoints but no recipe.json`, {
        hint: "Whose they are is not known. Choose another folder with --out.",
      });
    }
    if (fresh && existsSync(path)) {
      // The recipe goes last: until then it says whose the checkpoints are.
      for (const name of [
        ...logNames.map((log) => `${log}.jsonl`),
        "calls.jsonl",
        // What was made from the run that is gone.
        ...["results.json", "results.csv", "table.md", "accuracy.svg", "episodes-judged.jsonl", "report.html"],
        "contenders",
        "incomplete",
        "environment.json",
        "checkpoints",
        "recipe.json",
      ])
        remove(join(folder, name));
    }
    if (existsSync(path)) {
      const differences = listDifferences(parseJson(readText(path), path), recipe);
      if (differences.length > 0) {
        throw new ColloquyError(
          "run/recipe-changed",
          `${folder} was made with another recipe:\n${differences.map((d) => `  - ${d}`).join("\n")}`,
          {
            hint: "Use --fresh to start over in this folder, or --out to choose another one.",
          },
        );
      }
    } else {
      mkdirSync(join(folder, "checkpoints"), { recursive: true });
      writeFileAtomic(path, `${JSON.stringify(recipe, null, 2)}\n`);
    }
    const provenance = join(folder, "environment.json");
    if (existsSync(path) && existsSync(provenance))
      checkQuestions(folder, parseJson(readText(provenance), provenance), environment);
    writeFileAtomic(provenance, `${JSON.stringify(environment, null, 2)}\n`);
    return release;
  } catch (error) {
    release();
    throw error instanceof ColloquyError ? error : writeError(folder, error);
  }
}

/** The same recipe may name a file whose questions have changed; a run that went on with others would have seen both. */
function checkQuestions(folder: string, before: unknown, now: unknown): void {
  if (!isRecord(before) || !isRecord(now) || before["questions"] === undefined) return;
  const differences = listDifferences(before["questions"], now["questions"]);
  if (differences.length === 0) return;
  throw new ColloquyError(
    "run/questions-changed",
    `the questions of ${folder} have changed since it began (hashes of its splits):\n${differences.map((d) => `  - ${d}`).join("\n")}`,
    { hint: "Use --fresh to start over with the new questions, or bring the old file back." },
  );
}

/** Opens the logs as they were after update `step` of a saved state, or empties them. */
export function openLogs(folder: string, sizes: LogSizes | undefined, step: number): RunLogs {
  const open = (name: keyof RunLogs, size: number | undefined): JsonLinesWriter =>
    appendJsonLines(join(folder, `${name}.jsonl`), size);
  return {
    metrics: open("metrics", sizes?.metrics ?? 0),
    episodes: open("episodes", sizes?.episodes ?? 0),
    timing: open("timing", timingSize(join(folder, "timing.jsonl"), step)),
  };
}

/** Bytes of the timings up to an update. */
function timingSize(path: string, step: number): number {
  if (step === 0 || !existsSync(path)) return 0;
  const lines = readFileSync(path, "utf8").split("\n");
  const isLater = (line: string): boolean => !line.startsWith('{"step":') || Number.parseInt(line.slice(8), 10) > step;
  const end = lines.findIndex(isLater);
  return Buffer.byteLength(lines.slice(0, end).join("\n")) + (end > 0 ? 1 : 0);
}

export const sizesOf = (logs: RunLogs): LogSizes => ({
  metrics: logs.metrics.size(),
  episodes: logs.episodes.size(),
});

export function closeLogs(logs: RunLogs): void {
  for (const name of logNames) logs[name].close();
}

function remove(path: string): void {
  rmSync(path, { recursive: true, force: true });
}

/** Leaves that differ between two plain values, as `path: old → new`. */
function listDifferences(before: unknown, after: unknown, path = ""): string[] {
  if (canonicalJson(before) === canonicalJson(after)) return [];
  if (isRecord(before) && isRecord(after)) {
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
    return keys.flatMap((key) => listDifferences(before[key], after[key], path === "" ? key : `${path}.${key}`));
  }
  return [`${path}: ${JSON.stringify(before) ?? "absent"} → ${JSON.stringify(after) ?? "absent"}`];
}
