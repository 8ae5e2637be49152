import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { type Environment, processEnvironment } from "../../base/env.ts";
import { ColloquyError } from "../../base/errors.ts";

/** An interpreter that programs can be judged with. */
export interface Python {
  readonly path: string;
  readonly version: string;
}

/** As root, Python must also run for users without rights: one in root's own folder does not. */
const userWithoutRights = 65534;

const probe = `
import builtins, json, os, random, resource, signal, sys, types
print(json.dumps([sys.executable, sys.version_info[:2] >= (3, 8), sys.version.split()[0]]))
`;

/**
 * Finds Python 3.8 or later.
 * @param command a path, or a name to look for along PATH and in the usual places
 * @throws ColloquyError `code/python` when there is none, saying what was found instead
 */
export async function findPython(
  command = "python3",
  environment: Environment = processEnvironment(),
): Promise<Python> {
  const rejected: string[] = [];
  if (process.platform === "win32") rejected.push("the limits that programs run under need Linux or macOS");
  else
    for (const path of placesOf(command, environment)) {
      const found = await tryPython(path, environment);
      if (typeof found !== "string") return found;
      rejected.push(`${path}: ${found}`);
    }
  throw new ColloquyError(
    "code/python",
    `code questions are judged by running programs, and no usable Python was found for "${command}"${
      rejected.length > 0 ? ` (${rejected.join("; ")})` : ""
    }`,
    {
      hint: "Install Python 3.8 or later, or give the path of one. As root, it must lie where every user can run it.",
      endsRun: true,
    },
  );
}

function placesOf(command: string, environment: Environment): string[] {
  if (command.includes("/")) return [command];
  const folders = [...(environment["PATH"] ?? "").split(delimiter), "/usr/local/bin", "/usr/bin"];
  return [...new Set(folders.filter((folder) => folder !== "").map((folder) => join(folder, command)))].filter((path) =>
    existsSync(path),
  );
}

/** The interpreter itself (not a script that chooses one), or why it will not do. */
function tryPython(path: string, { PATH, HOME }: Environment): Promise<Python | string> {
  const user = process.getuid?.() === 0 ? { uid: userWithoutRights, gid: userWithoutRights } : {};
  const options = { cwd: "/", env: { PATH, HOME }, timeout: 20_000, maxBuffer: 100_000, ...user };
  return new Promise((resolve) => {
    execFile(path, ["-s", "-S", "-B", "-c", probe], options, (error, stdout) => {
      if (error !== null) return resolve(lastLine(error.message));
      try {
        const [executable, isRecent, version] = JSON.parse(stdout) as [string, boolean, string];
        resolve(isRecent ? { path: executable, version } : `it is version ${version}`);
      } catch {
        resolve("it does not answer as Python does");
      }
    });
  });
}

/** Node repeats the whole command first; the last line says why. */
const lastLine = (message: string): string => message.trim().split("\n").at(-1)!.slice(0, 200);
