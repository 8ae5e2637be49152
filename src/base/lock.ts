import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { ColloquyError } from "./errors.ts";
import { writeError } from "./files.ts";

/**
 * Takes a folder for this process: a file `lock` with the process number, made only if it is not there. A lock left by a
 * process that no longer lives is taken over.
 *
 * @returns the function that gives the folder back
 * @throws ColloquyError `folder/locked` while another process holds it, `file/write` where it cannot be made
 */
export function lockFolder(folder: string): () => void {
  const path = join(folder, "lock");
  for (let attempt = 0; ; attempt++) {
    try {
      mkdirSync(folder, { recursive: true });
      const file = openSync(path, "wx");
      writeSync(file, `${process.pid}\n`);
      closeSync(file);
      return () => rmSync(path, { force: true });
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== "EEXIST") throw writeError(path, cause);
      const holder = readHolder(path);
      if (attempt > 2 || (holder !== undefined && isAlive(holder))) {
        throw new ColloquyError("folder/locked", `${folder} is in use by process ${holder}`, {
          hint: `Wait until it ends, or choose another folder with --out. If no such process runs, delete ${path}.`,
          cause,
        });
      }
      rmSync(path, { force: true });
    }
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

function isAlive(pid: number): boolean {
  if (pid === process.pid) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
