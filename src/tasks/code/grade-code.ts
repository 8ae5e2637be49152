import pLimit from "p-limit";
import { ColloquyError } from "../../base/errors.ts";
import { sha256 } from "../../base/hash.ts";
import type { Grader } from "../../contracts/task.ts";
import { findPython } from "./find-python.ts";
import { codeWarning, runPython } from "./run-python.ts";

export interface CodeGraderSettings {
  /** The user's word that programs of language models may run here. There is no default. */
  readonly allowed: true;
  /** Path or name of the interpreter. */
  readonly python?: string;
  /** Default 10 000. */
  readonly timeoutMs?: number;
  /** Default 512. */
  readonly memoryMb?: number;
  /** How many programs run at once. Default 2. */
  readonly atOnce?: number;
}

/**
 * A grader that runs programs against the tests of their question. Each pair of tests and program is judged once. Nothing
 * runs before the first question.
 *
 * It throws ColloquyError `code/not-allowed` without the user's word, and rejects with `code/python` where Python cannot
 * run and `code/question` for a question without tests: none of these is a wrong answer.
 */
export function createCodeGrader(settings: CodeGraderSettings): Grader {
  const { allowed, python: command, timeoutMs = 10_000, memoryMb = 512, atOnce = 2 } = settings;
  if (allowed !== true)
    throw new ColloquyError("code/not-allowed", "code questions are judged by running programs, which is not allowed", {
      hint: codeWarning,
      endsRun: true,
    });
  const lane = pLimit(atOnce);
  const known = new Map<string, Promise<boolean>>();
  let python: ReturnType<typeof findPython> | undefined;

  const judge: (...of: Parameters<Grader>) => Promise<boolean> = async ({ id, code }, program) => {
    if (code === undefined)
      throw new ColloquyError("code/question", `question ${id} has no tests to judge a program by`);
    python ??= findPython(command);
    const { path } = await python;
    const { passed, reason, detail } = await lane(() =>
      runPython(code, program, { python: path, timeoutMs, memoryMb }),
    );
    if (reason === "unstarted")
      throw new ColloquyError("code/python", `no program of question ${id} could be run: ${detail}`, {
        hint: `Check that ${path} runs for every user, and that this user may start processes.`,
        endsRun: true,
      });
    return passed;
  };

  return (question, program) => {
    const key = sha256(JSON.stringify([question.id, question.code, program]));
    let verdict = known.get(key);
    if (verdict === undefined) {
      verdict = judge(question, program);
      known.set(key, verdict);
      // A failure to judge is told to whoever waits for it, and not remembered.
      verdict.catch(() => known.delete(key));
    }
    return verdict;
  };
}
