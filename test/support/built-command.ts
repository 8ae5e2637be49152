import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "..", "..");

/** A command that can be run as a user types it. */
export interface BuiltCommand {
  /** Path of `main.js`. */
  readonly path: string;
  remove(): void;
}

/**
 * The built command: `dist` where it is newer than every source, as after `npm ci` and in `.ci/run`; else a build in a
 * folder of its own, so that a forgotten `npm run build` cannot make the tests judge old code.
 */
export function buildCommand(): BuiltCommand {
  const built = join(root, "dist", "cli", "main.js");
  if (existsSync(built) && statSync(built).mtimeMs > newest(join(root, "src")))
    return { path: built, remove: () => {} };
  const folder = mkdtempSync(join(tmpdir(), "colloquy-built-"));
  chmodSync(folder, 0o755);
  const compiler = join(root, "node_modules", "typescript", "bin", "tsc");
  // Types are checked elsewhere.
  execFileSync(
    process.execPath,
    [compiler, "-p", "tsconfig.build.json", "--noCheck", "--outDir", join(folder, "dist")],
    {
      cwd: root,
    },
  );
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const pages = String(scripts.pages)
    .replace("--outdir=dist", `--outdir=${join(folder, "dist")}`)
    .split(" ");
  execFileSync(join(root, "node_modules", ".bin", pages[0]), pages.slice(1), { cwd: root });
  copyFileSync(join(root, "package.json"), join(folder, "package.json"));
  for (const name of ["node_modules", "training"]) symlinkSync(join(root, name), join(folder, name), "junction");
  return { path: join(folder, "dist", "cli", "main.js"), remove: () => rmSync(folder, { recursive: true }) };
}

function newest(folder: string): number {
  return Math.max(
    ...readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => statSync(join(folder, name)).mtimeMs),
  );
}

/** What a command said and how it ended. */
export interface Ended {
  /** `null` where a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Starts the command in a folder; `child` can be killed, `ended` waits. */
export function startCommand(
  command: BuiltCommand,
  args: readonly string[],
  cwd: string,
  user: { readonly uid?: number; readonly gid?: number; readonly env?: NodeJS.ProcessEnv } = {},
): { readonly child: ChildProcess; readonly ended: Promise<Ended> } {
  return startProgram(process.execPath, [command.path, ...args], cwd, user.env, user);
}

/** Starts any program and collects what it says. */
export function startProgram(
  program: string,
  args: readonly string[],
  cwd: string,
  env?: NodeJS.ProcessEnv,
  user: { readonly uid?: number; readonly gid?: number } = {},
): { readonly child: ChildProcess; readonly ended: Promise<Ended> } {
  const { uid, gid } = user;
  const child = spawn(program, args, { cwd, stdio: ["ignore", "pipe", "pipe"], uid, gid, ...(env && { env }) });
  const said = { stdout: "", stderr: "" };
  for (const stream of ["stdout", "stderr"] as const) {
    child[stream]!.setEncoding("utf8").on("data", (text: string) => {
      said[stream] += text;
    });
  }
  const ended = new Promise<Ended>((done, fail) => {
    child.on("error", fail).on("close", (code) => done({ code, ...said }));
  });
  return { child, ended };
}

export const runCommand = (
  command: BuiltCommand,
  args: readonly string[],
  cwd: string,
  env?: NodeJS.ProcessEnv,
): Promise<Ended> => startCommand(command, args, cwd, env === undefined ? {} : { env }).ended;
