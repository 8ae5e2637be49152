import { readFileSync, type Stats, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import type { Clock } from "../base/clock.ts";
import { isRecord } from "../base/json.ts";
import type { LogRow, RunFollower, RunStatus } from "../contracts/run-log.ts";
import { followLog } from "./follow-log.ts";

const logNames = ["metrics.jsonl", "timing.jsonl"];
/** A writer on another machine cannot be asked whether it lives: while its logs grow it does. */
const livelyMs = 15_000;
/** No run comes to larger numbers: they would squash what is drawn. */
const mostPlausible = 1e12;
/** Larger files of a stranger are not read. */
const maxFileBytes = 64 * 1024 * 1024;

/** Follows a run. The folder may not be there yet. Nothing is thrown. */
export function followRun(folder: string, clock: Clock): RunFollower {
  const place = (name: string): string => join(folder, name);
  const logs = logNames.map((name) => followLog(place(name), mostPlausible));
  const readRecipe = whenChanged(place("recipe.json"), parseRecipe);
  const readHeadline = whenChanged(place("results.json"), parseHeadline);
  const isHeld = watchLock(place("lock"));
  let rows: LogRow[] = [];
  let lastStep = 0;
  let epoch = 0;

  const describe = (): RunStatus => {
    const grownAt = Math.max(...logNames.map((name) => statsOf(place(name))?.mtimeMs ?? 0));
    const ageMs = grownAt === 0 ? null : Math.max(0, Math.round(clock.now() - grownAt));
    const { name = basename(resolve(folder)), steps = null } = readRecipe() ?? {};
    const judgedAt = statsOf(place("results.json"))?.mtimeMs ?? 0;
    const headline = judgedAt >= grownAt ? (readHeadline() ?? null) : null;
    const isDone = headline !== null || (steps !== null && lastStep >= steps);
    const isRunning = isHeld(ageMs);
    const state = isRunning ? "running" : rows.length === 0 ? "waiting" : isDone ? "finished" : "resting";
    return { state, name, steps, ageMs, headline, hasReport: statsOf(place("report.html"))?.isFile() ?? false };
  };
  let status = describe();

  return {
    look() {
      let found = logs.map((log) => log.look());
      const isAnew = found.some(({ restarted }) => restarted);
      if (isAnew) {
        epoch++;
        rows = [];
        lastStep = 0;
        for (const log of logs) log.rewind();
        found = logs.map((log) => log.look());
      }
      const more = found.flatMap((one) => one.rows);
      for (const row of more) {
        rows.push(row);
        lastStep = Math.max(lastStep, row.step);
      }
      const before = status;
      status = describe();
      return isAnew || more.length > 0 || withoutAge(before) !== withoutAge(status);
    },
    rows: () => rows,
    epoch: () => epoch,
    status: () => status,
  };
}

const withoutAge = (status: RunStatus): string => JSON.stringify({ ...status, ageMs: null });

function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

/** What a file says, read again only when it has changed; `undefined` where there is none to be read. */
function whenChanged<T>(path: string, parse: (value: unknown) => T): () => T | undefined {
  let seen = "";
  let value: T | undefined;
  return () => {
    const stats = statsOf(path);
    const now = stats === undefined ? "" : `${stats.ino} ${stats.size} ${stats.mtimeMs}`;
    if (now === seen) return value;
    seen = now;
    value = undefined;
    try {
      if (stats?.isFile() && stats.size <= maxFileBytes) value = parse(JSON.parse(readFileSync(path, "utf8")));
    } catch {}
    return value;
  };
}

function parseRecipe(recipe: unknown): { name?: string; steps?: number } {
  if (!isRecord(recipe)) return {};
  const { name, train } = recipe;
  const { steps, warmStartSteps = 0 } = isRecord(train) ? train : {};
  const planned = Number(steps) + Number(warmStartSteps);
  return {
    ...(typeof name === "string" && name !== "" ? { name: name.slice(0, 200) } : {}),
    ...(Number.isSafeInteger(planned) && planned > 0 ? { steps: planned } : {}),
  };
}

function parseHeadline(results: unknown): string {
  const headline = isRecord(results) ? results["headline"] : undefined;
  return typeof headline === "string" ? headline.slice(0, 4000) : "";
}

/**
 * Whether a process holds the folder (see base/lock.ts). One that was seen alive is of this machine, and its end is known
 * at once.
 */
function watchLock(lock: string): (ageMs: number | null) => boolean {
  let seenAlive: number | undefined;
  return (ageMs) => {
    try {
      if (!statSync(lock).isFile()) return false;
      const pid = Number.parseInt(readFileSync(lock, "utf8"), 10);
      if (!(pid > 0)) return false;
      if (isAlive(pid)) seenAlive = pid;
      return isAlive(pid) || (pid !== seenAlive && ageMs !== null && ageMs < livelyMs);
    } catch {
      return false;
    }
  };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
