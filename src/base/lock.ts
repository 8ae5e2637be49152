import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { join, resolve } from "node:path";
import { ColloquyError } from "./errors.ts";
import { writeError } from "./files.ts";

/** Locks this process holds: a lock with our number that is not among them was left by another life of that number. */
const held = new Set<string>();

/** Long enough for another process to write its number into the lock it has just made. */
const settlingMs = 30;

/**
 * Takes a folder for this process: a file `lock` with the process number, made only if it is not there. A lock left by a
 * process that no longer lives is taken over.
 *
 * @returns the function that gives the folder back
 * @throws ColloquyError `folder/locked` while another process holds it, `file/write` where it cannot be made
 */
export function lockFolder(folder: string): () => void {
  const path = resolve(join(folder, "lock"));
  for (let attempt = 0; ; attempt++) {
    if (createLock(folder, path)) {
      // Of two that found the same stale lock, one may have removed the other's new one.
      if (attempt > 0) pause();
      if (readHolder(path) === process.pid) break;
      continue;
    }
    const holder = readHolder(path);
    if (holder !== undefined && isHeldBy(holder, path)) {
      throw new ColloquyError("folder/locked", `${folder} is in use by process ${holder}`, {
        hint: `Wait until it ends, or choose another folder with --out. If no such process runs, delete ${path}.`,
      });
    }
    if (holder === undefined && attempt < 3) pause();
    else remove(path);
  }
  held.add(path);
  let isOurs = true;
  return () => {
    if (!isOurs) return;
    isOurs = false;
    held.delete(path);
    remove(path);
  };
}

/** Whether it was there to be made. */
function createLock(folder: string, path: string): boolean {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (cause) {
    throw writeError(path, cause);
  }
  try {
    const file = openSync(path, "wx");
    writeSync(file, `${process.pid}\n`);
    closeSync(file);
    return true;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw writeError(path, cause);
  }
}

function remove(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch (cause) {
    throw writeError(path, cause);
  }
}

function readHolder(path: string): number | undefined {
  try {
    const holder = Number.parseInt(readFileSync(path, "utf8"), 10);
    return Number.isInteger(holder) && holder > 0 ? holder : undefined;
  } catch {
    // Given back between our two looks.
    return undefined;
  }
}

function isHeldBy(pid: number, path: string): boolean {
  if (pid === process.pid) return held.has(path);
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, settlingMs);
}
