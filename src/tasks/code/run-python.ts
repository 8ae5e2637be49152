import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import type { CodeTask } from "../../contracts/task.ts";
import { harness } from "./harness.ts";

/** To be said to whoever lets programs of language models run. */
export const codeWarning =
  "Programs written by language models will run on this machine: with limits on time, memory, files and processes, " +
  "without the environment, and as a user without rights where this one is root. This is no security boundary: " +
  "they can reach the network and, unless this user is root, whatever this user can reach, keys in the environment of " +
  "this process included. Use a container, or a machine that holds nothing of value.";

/** What came of running a program against its tests. */
export interface CodeVerdict {
  readonly passed: boolean;
  /**
   * `wrong`: an assertion of the test failed. `error`: the program or a test raised, or the program ended its process.
   * `unstarted`: nothing was judged, Python could not run.
   */
  readonly reason: "passed" | "wrong" | "error" | "timeout" | "memory" | "unstarted";
  /** The failed line of the test or the error, at most 500 characters; may hold text of the program. */
  readonly detail: string;
}

export interface CodeLimits {
  /** Path of the interpreter, as `findPython` gives it. */
  readonly python: string;
  /** Of the wall clock, for starting, loading and all tests; also the limit of processor time, in whole seconds. */
  readonly timeoutMs: number;
  /** Of address space, in megabytes; at least 64, since the interpreter itself takes some 30. */
  readonly memoryMb: number;
}

/** The most characters of a verdict that are read. */
const longestReport = 10_000;

/**
 * Runs a program against its tests in a child process that has no input, no environment and no place but a temporary
 * folder, which is removed afterwards. The program may use 32 files of at most 1 MB each and start neither processes nor
 * threads; what it prints is dropped; only Python's standard library is there. Where this process is root, program and
 * tests run as users without rights.
 *
 * **No security boundary** (see `codeWarning`). The verdict is made where the program does not run (see `harness`), so it
 * cannot be faked from within. Not prevented: the network; reading what the user can read, `/proc` included; as the same
 * user, ending the user's processes (those of root are out of reach); filling the disk with many small files, or leaving
 * some where everyone may write. Limits that a system lacks do not hold (memory on macOS).
 *
 * The function is called with copies and must return plain data: numbers, texts, lists, tuples, sets, dicts, iterators.
 * @returns never throws for what the program does
 */
export async function runPython(task: CodeTask, program: string, limits: CodeLimits): Promise<CodeVerdict> {
  const folder = await mkdtemp(join(tmpdir(), "colloquy-code-"));
  try {
    return await judge(folder, JSON.stringify({ ...task, program }), limits);
  } finally {
    // A program can make folders that nobody may open; that says nothing about its answers.
    await rm(folder, { recursive: true, force: true }).catch(() => {});
  }
}

function judge(folder: string, job: string, { python, timeoutMs, memoryMb }: CodeLimits): Promise<CodeVerdict> {
  const seconds = Math.ceil(timeoutMs / 1000);
  const child = spawn(python, ["-s", "-S", "-B", "-c", harness, String(memoryMb * 2 ** 20), String(seconds), folder], {
    cwd: "/",
    // A fixed seed: sets have the same order each time.
    env: { PATH: "/usr/bin:/bin", HOME: folder, TMPDIR: folder, LANG: "C.UTF-8", PYTHONHASHSEED: "0" },
    detached: true,
    stdio: ["pipe", "ignore", "ignore", "pipe"],
  });
  return new Promise((resolve) => {
    let report = "";
    let begun = false;
    let programId: number | undefined;
    let verdict: CodeVerdict | undefined;
    let backstop: NodeJS.Timeout | undefined;

    const endProgram = (): void => {
      if (programId !== undefined) kill(programId);
      programId = undefined;
    };
    const read = (chunk: string): void => {
      report = (report + chunk).slice(0, longestReport);
      const [first, second] = report.split("\n").slice(0, -1);
      if (!begun && first !== undefined) {
        begun = true;
        programId = Number(first);
      }
      if (second === undefined) return;
      const said = readVerdict(second);
      verdict ??= said.verdict;
      // The judge waits until it can bury the program.
      if (said.alive) endProgram();
      programId = undefined;
    };
    const timer = setTimeout(() => {
      verdict ??= failure("timeout", `not done after ${timeoutMs} ms`);
      // The judge sees the program end and ends by itself, unless it is the tests that do not end.
      backstop = setTimeout(() => child.pid !== undefined && kill(child.pid), begun ? 500 : 0);
      endProgram();
    }, timeoutMs);
    const settle = (otherwise: CodeVerdict): void => {
      clearTimeout(timer);
      clearTimeout(backstop);
      endProgram();
      resolve(verdict ?? otherwise);
    };

    child.on("error", ({ message }) => settle(failure("unstarted", message)));
    child.on("close", (code, signal) =>
      settle(failure(begun ? "error" : "unstarted", `Python ended early (${signal ?? `exit code ${code}`})`)),
    );
    // A child that is gone reads nothing; `close` says so.
    child.stdin?.on("error", () => {}).end(job);
    // Without a free file there are no pipes at all; `error` says so.
    const reports = child.stdio?.[3] as Readable | undefined;
    reports?.setEncoding("utf8").on("data", read);
  });
}

const failure = (reason: CodeVerdict["reason"], detail: string): CodeVerdict => ({ passed: false, reason, detail });

/** `[reason, detail, alive]` of the judge. */
function readVerdict(line: string): { verdict: CodeVerdict; alive: boolean } {
  const [reason, detail, alive] = JSON.parse(line) as [CodeVerdict["reason"], string, boolean];
  return { verdict: { passed: reason === "passed", reason, detail }, alive };
}

/** Ends a process and its group; either may be gone already. */
function kill(processId: number): void {
  for (const target of [-processId, processId])
    try {
      process.kill(target, "SIGKILL");
    } catch {}
}
