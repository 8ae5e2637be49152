import { spawn } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { gunzipSync } from "node:zlib";
import fc from "fast-check";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { ColloquyError } from "../src/base/errors.ts";
import { runInLanes } from "../src/base/lanes.ts";
import type { CodeTask, Question } from "../src/contracts/task.ts";
import { findPython, type Python } from "../src/tasks/code/find-python.ts";
import { createCodeGrader } from "../src/tasks/code/grade-code.ts";
import { harness } from "../src/tasks/code/harness.ts";
import { type CodeVerdict, runPython } from "../src/tasks/code/run-python.ts";

const python: Python | null = await findPython().catch(() => null);
const isRoot = process.getuid?.() === 0;

const limits = (more: object = {}) => ({ python: python!.path, timeoutMs: 10_000, memoryMb: 512, ...more });
const addTask: CodeTask = {
  prompt: 'from typing import List\n\ndef add(a: int, b: int) -> int:\n    """ Add two numbers. """\n',
  entryPoint: "add",
  test: "def check(candidate):\n    assert candidate(1, 2) == 3\n    assert abs(candidate(-1, 1) - 0) < 1e-6\n",
};
const addition = "def add(a, b):\n    return a + b\n";
const run = (program: string, more: object = {}, task = addTask): Promise<CodeVerdict> =>
  runPython(task, program, limits(more));
const returning = (expression: string): string => `def add(a, b):\n    return ${expression}\n`;

describe.skipIf(python === null)("a judged program (skipped: no Python 3.8 or later)", () => {
  it("passes when its tests hold, and says which line fails where they do not", async () => {
    expect(await run(addition)).toEqual({ passed: true, reason: "passed", detail: "" });
    expect(await run(returning("a - b"))).toEqual({
      passed: false,
      reason: "wrong",
      detail: "assert candidate(1, 2) == 3",
    });
  });

  it("has the imports and helpers of its prompt, and never the prompt's unfinished function", async () => {
    expect(await run("def add(a: List, b: List):\n    return a + b\n")).toMatchObject({ passed: true });
    expect(await run("x = 1\n")).toMatchObject({ reason: "error", detail: "NameError: the program defines no add" });
  });

  it.each([
    ["does not parse", "def add(a, b) return", "SyntaxError"],
    ["raises when loaded", "raise KeyError('k')", "KeyError: 'k'"],
    [
      "raises what cannot be told",
      "class E(Exception):\n    def __str__(self): raise self\nraise E(1, 2)",
      "ended the process",
    ],
    ["raises when called", returning("1 / 0"), "ZeroDivisionError: division by zero"],
    ["raises what an assertion raises", returning("[][0] if a else 0"), "IndexError"],
    ["asserts falsely itself", "def add(a, b):\n    assert False, 'mine'\n", "AssertionError: mine"],
    ["recurses for ever", returning("add(a, b)"), "RecursionError"],
    ["waits for input", returning("int(input())"), "EOFError"],
    ["crashes the interpreter", `import os\n${returning("os.abort()")}`, "signal 6"],
    ["returns no plain data", returning("object()"), "object is not plain data"],
    ["returns too much", returning("'x' * 20_000_000"), "returned too much"],
    ["is not even text for Python", "\u0000\ud800", ""],
  ])("that %s is wrong with its error", async (_, program, detail) => {
    const verdict = await run(program);
    expect(verdict).toMatchObject({ passed: false, reason: "error" });
    expect(verdict.detail).toContain(detail);
    expect(verdict.detail.length).toBeLessThanOrEqual(500);
  });

  const everyFile = (text: string): string =>
    `import os\nfor file in range(64):\n    try: os.write(file, ${text})\n    except OSError: pass\n`;
  it.each([
    ["exits when loaded", "import sys\nsys.exit(0)"],
    ["exits after its function", `${addition.replace("+", "-")}raise SystemExit(0)`],
    ["exits when called", `import sys\n${returning("sys.exit(0)")}`],
    ["ends the process when loaded", "import os\nos._exit(0)"],
    ["ends the process when called", `import os\n${returning("os._exit(0)")}`],
    ["ends the process at exit", `import atexit, os\natexit.register(lambda: os._exit(0))\n${returning("0")}`],
    ["prints a verdict", `print('["passed", "", false]')\n${returning("0")}`],
    ["writes a verdict to every file", `${everyFile(`b'1\\n["passed", "", false]\\n'`)}${returning("0")}`],
    ["says that it loaded, and nothing more", `${everyFile(`b'"loaded"\\n'`)}os._exit(0)`],
    ["brings its own check", `def check(candidate): pass\n${returning("0")}`],
    ["replaces the check of others", `import __main__\n__main__.check = __main__.run_tests = print\n${returning("0")}`],
    [
      "patches builtins",
      `import builtins\nbuiltins.abs = lambda x: 0\nbuiltins.AssertionError = int\n${returning("4")}`,
    ],
    ["returns what equals everything", `class Same(int):\n    __eq__ = lambda *_: True\n${returning("Same(7)")}`],
    [
      "returns what equals everything, unlike data",
      `class Same:\n    __eq__ = lambda *_: True\n${returning("Same()")}`,
    ],
    ["replaces the way its answers travel", `import __main__\n__main__.encode = lambda v: v\n${returning("0")}`],
    [
      "turns the tests' frames upside down",
      `import sys\ndef add(a, b):\n    frame = sys._getframe()\n    while frame:\n        frame.f_globals.update(check=print)\n        frame = frame.f_back\n`,
    ],
  ])("that %s does not pass", async (_, program) => {
    expect(await run(program)).toMatchObject({ passed: false, reason: expect.stringMatching(/^(wrong|error)$/) });
  });

  it("cannot touch who judges it", async () => {
    const attack = [
      "import os, signal",
      "def reach(what):",
      "    try: what()",
      "    except OSError: pass",
      "judge = os.getppid()",
      "reach(lambda: os.write(os.open(f'/proc/{judge}/fd/3', os.O_WRONLY), b'[\"passed\",\"\",false]\\n'))",
      "reach(lambda: os.open(f'/proc/{judge}/mem', os.O_RDWR) and os._exit(0))",
      "def add(a, b):",
      "    reach(lambda: os.kill(judge, 9))",
      "    return 0",
    ].join("\n");
    const verdict = await run(attack);
    // Of the same user it can end its judge: that is no pass either.
    expect(verdict).toMatchObject({ passed: false, reason: isRoot ? "wrong" : "error" });
  });

  it.skipIf(!isRoot)("that is of the judge's user can end it, not write into it", async () => {
    const folder = mkdtempSync(join(tmpdir(), "colloquy-test-"));
    chownSync(folder, 65534, 65534);
    const attack = (end: string): string =>
      `import os\njudge = os.getppid()\ntold = []\nfor place in "mem", "fd/3", "environ":\n    try: os.open(f"/proc/{judge}/{place}", os.O_RDWR if place != "environ" else os.O_RDONLY); told.append(place)\n    except OSError: pass\n${end}\ndef add(a, b):\n    raise ValueError(told)\n`;
    const asNobody = (program: string): Promise<string> => {
      const child = spawn(python!.path, ["-s", "-S", "-B", "-c", harness, String(2 ** 29), "5", folder], {
        uid: 65534,
        gid: 65534,
        cwd: "/",
        stdio: ["pipe", "ignore", "ignore", "pipe"],
      });
      let report = "";
      (child.stdio[3] as Readable).setEncoding("utf8").on("data", (chunk: string) => {
        report += chunk;
        // Whoever started the judge ends the program after a verdict.
        const [first, second] = report.split("\n").slice(0, -1);
        if (second !== undefined && JSON.parse(second)[2]) process.kill(Number(first), "SIGKILL");
      });
      child.stdin?.end(JSON.stringify({ ...addTask, program }));
      return new Promise((resolve) => child.on("close", () => resolve(report.split("\n")[1])));
    };
    expect(JSON.parse(await asNobody(addition))).toEqual(["passed", "", true]);
    expect(JSON.parse(await asNobody(attack("")))).toEqual(["error", "ValueError: []", true]);
    expect(await asNobody(attack("os.kill(judge, 9)"))).toBe("");
    rmSync(folder, { recursive: true });
  });
});

describe.skipIf(python === null)("the limits of a program (skipped: no Python 3.8 or later)", () => {
  const seconds = async (work: Promise<unknown>): Promise<number> => {
    const start = performance.now();
    await work;
    return (performance.now() - start) / 1000;
  };

  it.each([
    ["loops for ever when loaded", "while True: pass"],
    ["loops for ever when called", "def add(a, b):\n    while True: pass\n"],
    ["sleeps", `import time\n${returning("time.sleep(60)")}`],
    ["prints for ever", "while True: print('x' * 10000)"],
    [
      "ignores every signal",
      `import signal\nfor n in range(1, 32):\n    try: signal.signal(n, signal.SIG_IGN)\n    except OSError: pass\nwhile True: pass`,
    ],
    ["closes its files and waits", "import os, time\nos.closerange(0, 64)\ntime.sleep(60)"],
    ["never ends an endless list", `import itertools\n${returning("map(lambda _: None and 0, itertools.cycle('a'))")}`],
  ])("end one that %s", async (_, program) => {
    const work = run(program, { timeoutMs: 700, memoryMb: 4096 });
    expect(await seconds(work)).toBeLessThan(4);
    expect(await work).toMatchObject({ passed: false, reason: "timeout" });
  });

  it("end tests that never end", async () => {
    const work = run(addition, { timeoutMs: 500 }, { ...addTask, test: "while True: pass" });
    expect(await seconds(work)).toBeLessThan(4);
    expect(await work).toMatchObject({ passed: false, reason: "timeout" });
  });

  it.each([
    ["when loaded", "x = 'x' * 10**10"],
    ["when called", returning("[0] * 10**10")],
    ["bit by bit", "x = []\nwhile True: x.append('x' * 10**6 + str(len(x)))"],
  ])("hold memory %s", async (_, program) => {
    expect(await run(program, { memoryMb: 128 })).toMatchObject({ passed: false, reason: "memory" });
  });

  it("let no program start another, nor a thread", async () => {
    expect(await run(`import os\nwhile True: os.fork()\n`)).toMatchObject({ reason: "error" });
    const started = await run(`import subprocess\n${returning("subprocess.run(['sleep', '60'])")}`);
    expect(started).toMatchObject({ reason: "error" });
    const thread = `import threading\n${returning("threading.Thread(target=print).start()")}`;
    expect(await run(thread)).toMatchObject({ reason: "error" });
  });

  it("hold files and remove them", async () => {
    const folder = mkdtempSync(join(tmpdir(), "colloquy-test-"));
    vi.stubEnv("TMPDIR", folder);
    const big = "open('big', 'wb').write(b'x' * 10**7)";
    expect(await run(`${big}\n${addition}`)).toMatchObject({ reason: "error" });
    expect(await run(`files = [open(str(n), 'w') for n in range(100)]\n${addition}`)).toMatchObject({
      reason: "error",
    });
    expect(await run(`import os\nos.makedirs('a/b')\nopen('a/b/c', 'w').write('x')\n${addition}`)).toMatchObject({
      passed: true,
    });
    expect(readdirSync(folder)).toEqual([]);
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true });
  });

  it("show it nothing of the environment and, to root's children, nothing of this process", async () => {
    const names = (
      await run(`import os\n${returning("1 / 0 if False else exec('raise ValueError(sorted(os.environ))')")}`)
    ).detail;
    expect(names).toBe("ValueError: ['HOME', 'LANG', 'PATH', 'PYTHONHASHSEED', 'TMPDIR']");
    if (isRoot)
      expect(await run(`open('/proc/${process.pid}/environ')`)).toMatchObject({
        detail: expect.stringContaining("Permission"),
      });
  });

  it.skipIf(!isRoot)("take root's rights away and leave this process out of reach", async () => {
    const kill = `import os\nos.kill(${process.pid}, 9)`;
    expect((await run(kill)).detail).toContain("PermissionError");
    expect((await run("import os\nraise ValueError(os.getuid() * os.getgid() == 0)")).detail).toBe("ValueError: False");
  });
});

describe.skipIf(python === null)("what travels to a program and back (skipped: no Python 3.8 or later)", () => {
  it("is the same plain data", async () => {
    const values = fc.sample(fc.jsonValue(), { numRuns: 200, seed: 7 });
    const kinds = [
      "None, True, 10**5000, -1, 0.1, float('inf'), 1j, 'é\\ud800', b'\\x00', (1, (2,)), {1, 2}, frozenset('a')",
      "{(1, 2): [3], None: {}}, __import__('decimal').Decimal('0.10'), __import__('fractions').Fraction(1, 3), []",
    ];
    const test = `import json
values = json.loads(${JSON.stringify(JSON.stringify(values))}) + [${kinds.join(", ")}]
def check(candidate):
    for value in values:
        back = candidate(value)
        assert back == value and type(back) is type(value), repr(value)[:50]
        assert candidate(x=[value]) == [value]
`;
    const task: CodeTask = { prompt: "", entryPoint: "same", test };
    expect(await run("def same(x):\n    return x\n", {}, task)).toEqual({ passed: true, reason: "passed", detail: "" });
  });

  it("lets tests see iterators, changed arguments and exceptions as if the function ran beside them", async () => {
    const test = `
def check(candidate):
    numbers = [3, 1, 2]
    assert sorted(candidate(numbers)) == [1, 2, 3] and numbers == [3, 1, 2, 9]
    try:
        candidate(None)
        assert False
    except AttributeError as error:
        assert "append" in str(error)
`;
    const program = "def f(x):\n    x.append(9)\n    return (n for n in x[:-1])\n";
    expect(await run(program, {}, { prompt: "", entryPoint: "f", test })).toMatchObject({ passed: true });
  });

  it("never passes a test that swallows everything, or one that asks nothing", async () => {
    const swallow = "def check(candidate):\n    try: candidate(1, 2)\n    except: pass\n";
    expect(await run("import os\ndef add(a, b): os._exit(0)\n", {}, { ...addTask, test: swallow })).toMatchObject({
      passed: false,
    });
    expect(await run(addition, {}, { ...addTask, test: "def check(candidate): pass\n" })).toMatchObject({
      passed: false,
      detail: "the test never calls add",
    });
  });
});

const folder = new URL("../../shared/data/benchmarks/humaneval/", import.meta.url);
const present = python !== null && existsSync(folder);

describe.skipIf(!present)("HumanEval (skipped: no Python 3.8 or later, or its files are not present)", () => {
  interface Row {
    readonly task: CodeTask;
    readonly program: string;
    readonly id: string;
  }
  let rows: Row[];
  let ofMultiPle: Row[];
  const lines = (text: string): Record<string, string>[] =>
    text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
  beforeAll(() => {
    rows = lines(gunzipSync(readFileSync(new URL("HumanEval.jsonl.gz", folder))).toString()).map((row) => ({
      id: row["task_id"],
      task: { prompt: row["prompt"], entryPoint: row["entry_point"], test: row["test"] },
      program: row["prompt"] + row["canonical_solution"],
    }));
    ofMultiPle = lines(readFileSync(new URL("humaneval-py.jsonl", folder), "utf8")).map((row) => ({
      id: row["name"],
      task: { prompt: row["prompt"], entryPoint: row["entry_point"], test: row["test"] },
      program: rows[Number(row["name"].split("_")[1])].program,
    }));
  });
  const verdicts = (of: readonly Row[]): Promise<{ id: string; verdict: CodeVerdict }[]> =>
    runInLanes(of.length, 2, async (i) => ({ id: of[i].id, verdict: await run(of[i].program, {}, of[i].task) }));
  const passed = (all: Awaited<ReturnType<typeof verdicts>>) => all.filter(({ verdict }) => verdict.passed);

  it("passes all 164 of its own solutions", async () => {
    const all = await verdicts(rows);
    expect(passed(all)).toHaveLength(164);
  });

  it("passes the same solutions in the other form, where the test calls check itself, but one whose tests differ", async () => {
    const all = await verdicts(ofMultiPle);
    expect(all).toHaveLength(161);
    // OpenAI's solution of 151 takes no float for odd; this form asks for 25 of [5.0, 4.0].
    expect(all.filter(({ verdict }) => !verdict.passed)).toEqual([
      {
        id: "HumanEval_151_double_the_difference",
        verdict: { passed: false, reason: "wrong", detail: "assert candidate([5.0, 4.0]) == 25" },
      },
    ]);
  });

  it("passes no function that returns nothing", async () => {
    const empty = rows.map((row) => ({ ...row, program: `${row.task.prompt}    return None\n` }));
    expect(passed(await verdicts(empty))).toEqual([]);
  });

  it("passes no solution whose results are off by one", async () => {
    const off = (entry: string): string => `
_right = ${entry}
def ${entry}(*args):
    r = _right(*args)
    if isinstance(r, bool): return not r
    if isinstance(r, (int, float)): return r + 1
    if isinstance(r, str): return r + "x"
    if isinstance(r, (list, tuple)): return type(r)([*r, None])
    return {**r, "x": 1} if isinstance(r, dict) else 0
`;
    const wrong = rows.map((row) => ({ ...row, program: row.program + off(row.task.entryPoint) }));
    expect(passed(await verdicts(wrong))).toEqual([]);
  });
});

describe("a code grader", () => {
  const question = (id: string): Question => ({ id, text: "", options: [], gold: null, kind: "code", code: addTask });

  it("does not exist without the user's word", () => {
    expect(() => createCodeGrader({ allowed: "yes" as unknown as true })).toThrow(/not allowed/);
  });

  it.skipIf(python === null)("says right or wrong, and judges each program of a question once", async () => {
    const grade = createCodeGrader({ allowed: true });
    const first = grade(question("q"), addition);
    expect(grade(question("q"), addition)).toBe(first);
    expect(await first).toBe(true);
    expect(await grade(question("q"), returning("0"))).toBe(false);
  });

  it.skipIf(python === null)("runs no more programs at once than it may", async () => {
    const grade = createCodeGrader({ allowed: true, atOnce: 2 });
    const start = performance.now();
    const slow = (n: number): string => `import time\ntime.sleep(0.2)\nn = ${n}\n${addition}`;
    const right = await Promise.all([1, 2, 3, 4, 5].map((n) => grade(question("q"), slow(n))));
    expect(right).toEqual([true, true, true, true, true]);
    expect(performance.now() - start).toBeGreaterThan(600);
  });

  it("takes a missing Python or a question without tests for an error, never for a wrong answer", async () => {
    const codeOf = async (work: () => unknown): Promise<string> => {
      try {
        await work();
      } catch (error) {
        if (error instanceof ColloquyError) return error.code;
        throw error;
      }
      return "none";
    };
    const grade = createCodeGrader({ allowed: true, python: "/nowhere/python3" });
    expect(await codeOf(() => grade(question("q"), addition))).toBe("code/python");
    const other = createCodeGrader({ allowed: true });
    expect(await codeOf(() => other({ ...question("q"), code: undefined }, addition))).toBe("code/question");
    expect(await codeOf(() => findPython("/bin/sh"))).toBe("code/python");
    const { reason } = await runPython(addTask, addition, { python: "/nowhere", timeoutMs: 1000, memoryMb: 512 });
    expect(reason).toBe("unstarted");
  });
});
