import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readReply } from "../src/tasks/read-reply.ts";
import { readCode } from "../src/tasks/reading/read-code.ts";

const add = { entryPoint: "add", prompt: 'def add(a, b):\n    """Adds.\n    >>> add(1, 2)\n    3\n    """\n' };
const program = (text: string, frame = add) => readCode(text, frame).answer ?? readCode(text, frame).status;

describe("reading code", () => {
  it("reads a fenced function, a body, and a whole function (C16)", () => {
    const whole = "def add(a,b):\n    return a+b";
    expect(program(`Sure:\n\`\`\`python\n${whole}\n\`\`\``)).toBe(whole);
    expect(program(whole)).toBe(whole);
    expect(program("    return a+b")).toBe(`${add.prompt}    return a+b`);
  });

  it("takes every kind of fence, and none that is not closed where the reply ended by itself (C16)", () => {
    const whole = "def add(a, b):\n    return a + b";
    for (const [open, close] of [
      ["```", "```"],
      ["```py", "```"],
      ["```python3", "```"],
      ["``` Python", "```"],
      ["~~~python", "~~~"],
      ["````python", "````"],
      ["```python", ""],
      ["[PYTHON]", "[/PYTHON]"],
    ]) {
      expect(program(`Here you are:\n${open}\n${whole}\n${close}`)).toBe(whole);
    }
  });

  it("gives a trimmed body its indentation back, and takes no signature of several lines for one (C16)", () => {
    expect(program("if a:\n        return a\n    return b")).toBe(
      `${add.prompt}    if a:\n        return a\n    return b`,
    );
    expect(program("# just add\n    return a+b")).toBe(`${add.prompt}    # just add\n    return a+b`);
    const whole = "def add(\n    a,\n    b,\n):\n    return a+b";
    expect(program(whole)).toBe(whole);
  });

  it("takes the last block that defines the function with a body (C16)", () => {
    const first = "```python\ndef add(a, b):\n    return a - b\n```";
    const second = "```python\ndef add(a, b):\n    return a + b\n```";
    const stub = "```python\ndef add(a, b):\n    ...\n```";
    const usage = "```python\nprint(add(1, 2))\n```\n```\n3\n```\n```bash\npip install numpy\n```";
    expect(program(`${first}\nThat is wrong. Better:\n${second}\nUse it so:\n${usage}`)).toContain("a + b");
    expect(program(`${second}\nIt has this form:\n${stub}`)).toContain("a + b");
  });

  it("keeps functions of earlier blocks that the last one calls (C16)", () => {
    const text =
      "First a helper:\n```python\ndef helper(x):\n    return x\n```\nThen:\n```python\ndef add(a, b):\n    return helper(a) + b\n```";
    expect(program(text)).toBe("def helper(x):\n    return x\n\ndef add(a, b):\n    return helper(a) + b");
  });

  it("leaves out prose, demonstrations and examples (C16)", () => {
    const whole = "def add(a, b):\n    return a + b";
    expect(
      program(`Sure! Here's the function (in Python):\n\n${whole}\n\nThis adds the two numbers. Don't worry!`),
    ).toBe(whole);
    expect(
      program(`${whole}\n\nprint(add(1,\n  2))\nassert add(1, 2) == 3\nif __name__ == "__main__":\n    add(1, 2)`),
    ).toBe(whole);
    expect(program(">>> add(1, 2)\n3")).toBe("unparsed");
    expect(program("```\n>>> add(1, 2)\n3\n```")).toBe("unparsed");
  });

  it("keeps the imports and helpers of the prompt (C16)", () => {
    const frame = {
      entryPoint: "total",
      prompt:
        'from typing import List\n\n\ndef one():\n    return 1\n\n\ndef total(xs: List[int]) -> int:\n    """Sums."""\n',
    };
    const whole = "def total(xs: List[int]) -> int:\n    return sum(xs)";
    expect(program(whole, frame)).toBe(`from typing import List\n\n\ndef one():\n    return 1\n\n\n${whole}`);
    expect(program(`from __future__ import annotations\n${whole}`, frame)).toMatch(
      /^from __future__ import annotations\n/,
    );
  });

  const fenced = (code: string, language = "python") => `\`\`\`${language}\n${code}\n\`\`\``;
  const whole = "def add(a, b):\n    return a + b";

  it.each([
    ["a function in backticks", "Just use `def add(a, b): return a + b`.", "def add(a, b): return a + b"],
    ["a session", ">>> def add(a, b):\n...     return a + b\n...\n>>> add(1, 2)\n3", whole],
    ["a fenced session", fenced(">>> def add(a, b):\n...     return a + b\n>>> add(1, 2)\n3", "pycon"), whole],
    ["HTML escapes", fenced("def add(a, b):\n    return a + b if a &lt; b else b + a"), `${whole} if a < b else b + a`],
    ["a fence behind the last line", `\`\`\`python\n${whole}\`\`\``, whole],
    ["a function beside its fence", `\`\`\`${whole}\n\`\`\``, whole],
    ["a title beside its fence", fenced(whole, 'python title="add.py"'), whole],
    ["braces beside its fence", fenced(whole, "{.python .numberLines}"), whole],
    ["tags around it", `<code>${whole}</code>`, whole],
    ["a section of XML around it", `<solution><![CDATA[\n${whole}\n]]></solution>`, whole],
    ["a mark of the end behind it", `${whole}</s>`, whole],
    ["a quotation", fenced(whole).replace(/^/gm, "> "), whole],
    ["a block of Markdown", `\`\`\`\`markdown\n${fenced(whole)}\n\`\`\`\``, whole],
    [
      "an indented function between headings",
      `**Solution:**\n\n    ${whole.replace("\n", "\n    ")}\n\n**Why:** adds.`,
      whole,
    ],
    ["a note right behind it", `${whole}\nNote: this is O(1).`, whole],
    ["a rule right behind it", `${whole}\n---\nIt adds.`, whole],
    ["tabs and Windows lines", "def add(a, b):\r\n\treturn a + b\r\n", whole],
    [
      "a line of main",
      fenced(`${whole}\n\ndef main():\n    print(add(1, 2))\n\nmain()`),
      `${whole}\n\ndef main():\n    print(add(1, 2))`,
    ],
    ["a loop that asks", fenced(`${whole}\n\nwhile True:\n    print(add(int(input()), 1))`), whole],
    [
      "an attempt that asks",
      fenced(`${whole}\n\ntry:\n    a = int(input())\nexcept ValueError:\n    a = 0`),
      `${whole}`,
    ],
    [
      "tests of its own",
      fenced(`${whole}\n\ndef check(f):\n    assert f(1, 2) == 4\n\ncheck(add)`),
      `${whole}\n\ndef check(f):\n    assert f(1, 2) == 4`,
    ],
    ["an exit", fenced(`${whole}\n\nexit(0)`), whole],
    [
      "imports in a block of their own",
      `${fenced("import operator as op")}\n${fenced("def add(a, b):\n    return op.add(a, b)")}`,
      "import operator as op\n\ndef add(a, b):\n    return op.add(a, b)",
    ],
    [
      "constants in a block of their own",
      `${fenced("ZERO = 0")}\n${fenced(`${whole} + ZERO`)}`,
      `ZERO = 0\n\n${whole} + ZERO`,
    ],
    [
      "a use before it",
      `${fenced("total = add(1, 2)")}\n${fenced("def add(a, b):\n    total = a + b\n    return total")}`,
      "def add(a, b):\n    total = a + b\n    return total",
    ],
    [
      "a fence in its docstring",
      fenced('def add(a, b):\n    """Adds.\n\n    ```\n    add(1, 2)\n    ```\n    """\n    return a + b'),
      'def add(a, b):\n    """Adds.\n\n    ```\n    add(1, 2)\n    ```\n    """\n    return a + b',
    ],
    [
      "a wrong program, corrected",
      `${fenced("def add(a, b):\n    return a - b")}\nWait, that is wrong.\n${fenced(whole)}`,
      whole,
    ],
    [
      "a program in another language",
      `${fenced("function add(a, b) { return a + b }", "javascript")}\n${fenced(whole)}`,
      whole,
    ],
    ["a field of JSON with a fence", JSON.stringify({ code: fenced(whole) }), whole],
  ])("C16: reads %s", (_, text, want) => {
    const question = { id: "q", text: "", options: [], gold: null, kind: "code", code: { ...add, test: "" } } as const;
    expect(readReply(question, { text, finish: "stop" }).answer).toBe(want);
  });

  it.each([
    ["return in backticks", "`return a + b`", "return a + b"],
    ["a label", "Answer: return a + b", "return a + b"],
    ["two lines without indentation", "total = a + b\nreturn total", "total = a + b\n    return total"],
    [
      "a trimmed first line",
      "if a == 0:\n        return b\n    return a + b",
      "if a == 0:\n        return b\n    return a + b",
    ],
    ["tabs", "\treturn a + b", "return a + b"],
    ["a block, then its use", `${fenced("    return a + b")}\nUsage:\n${fenced("print(add(1, 2))")}`, "return a + b"],
  ])("C16: reads a body: %s", (_, text, want) => {
    expect(program(text)).toBe(`${add.prompt}    ${want}`);
  });

  it("keeps what prepares something for the function, and texts that look like markup (C16)", () => {
    for (const text of [
      `import sys\nsys.setrecursionlimit(10000)\n\n${whole}`,
      `table = []\nfor i in range(10):\n    table.append(print_free(i))\n\n${whole}`,
      `try:\n    import numpy\nexcept ImportError:\n    numpy = None\n\n${whole}`,
      'def add(a, b):\n    s = "a &lt; b </s>"\n    return a + b',
      "from dataclasses import dataclass\n\n@dataclass\nclass P:\n    a: int\n    b: int\n\ndef add(a, b):\n    return P(a, b).a + b",
    ]) {
      expect(program(fenced(text))).toBe(text);
      expect(program(text)).toBe(text);
    }
  });

  it("ignores code in hidden thoughts (C16, C17)", () => {
    const thought = "<think>\n```python\ndef add(a, b):\n    return a - b\n```\n</think>\n";
    expect(program(`${thought}    return a + b`)).toContain("a + b");
    expect(program(thought)).toBe("empty");
  });

  it("finds no code in words (C16)", () => {
    for (const text of [
      "I do not know how to do that.",
      "for example, if you return the sum, it works",
      "The function should return the sum of a and b.",
      "```json\n{}\n```",
      "42",
    ]) {
      expect(program(text)).toBe("unparsed");
    }
    expect(program("I'm sorry, but I can't help with that.")).toBe("refused");
  });

  it("counts of a reply that was cut off only a closed block (C17)", () => {
    const code = { ...add, test: "" };
    const question = { id: "q", text: "", options: [], gold: null, kind: "code", code } as const;
    const block = "```python\ndef add(a, b):\n    return a + b\n";
    expect(readReply(question, { text: block, finish: "length" }).status).toBe("truncated");
    expect(readReply(question, { text: `${block}\`\`\`\nThis`, finish: "length" }).status).toBe("parsed");
    expect(readReply(question, { text: block, finish: "stop" }).status).toBe("parsed");
    expect(readReply(question, { text: '{"code": "def add(a, b):\\n    return a + b"}', finish: "stop" }).answer).toBe(
      "def add(a, b):\n    return a + b",
    );
  });

  it("never fails, and gives a normal form, whatever the text", () => {
    const line = fc.constantFrom(
      "def add(a, b):",
      "    return a",
      "```",
      "```python",
      '"""',
      "'''",
      "(",
      "x = [",
      "Hi there.",
      "\t\ty",
      "",
    );
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.array(line, { maxLength: 20 }).map((lines) => lines.join("\r\n")),
    );
    fc.assert(
      fc.property(text, (reply) => {
        const { status, answer } = readCode(reply, add);
        expect(status === "parsed").toBe(answer !== null);
        expect(answer ?? "x").toMatch(/^\S(?:[\s\S]*\S)?$/);
        expect(answer ?? "").not.toMatch(/\r|[ \t]\n/);
      }),
    );
  });

  it("reads a very long reply in little time", () => {
    for (const unit of [
      "(",
      "```\n",
      "~~~\n",
      "'",
      '"',
      '"""',
      "def add(a, b):\n",
      " ",
      "\t\n",
      "a b\n",
      "return\n",
      "#",
      "x = 1\n",
      "=",
      "a,",
    ]) {
      const started = performance.now();
      readCode(unit.repeat(100_000 / unit.length), add);
      expect([unit, performance.now() - started < 2_000]).toEqual([unit, true]);
    }
  });
});

const file = "../shared/data/benchmarks/humaneval/HumanEval.jsonl.gz";
const hasPython = spawnSync("python3", ["--version"]).status === 0;

describe.skipIf(!existsSync(file) || !hasPython)("HumanEval (skipped: file or python3 not present)", () => {
  interface Row {
    readonly prompt: string;
    readonly entry_point: string;
    readonly canonical_solution: string;
    readonly test: string;
  }
  const shift = (text: string, spaces: number) =>
    text
      .split("\n")
      .map((line) =>
        spaces < 0 ? line.slice(Math.min(-spaces, line.search(/\S|$/))) : line && " ".repeat(spaces) + line,
      )
      .join("\n");
  const signature = ({ prompt, entry_point }: Row) => prompt.slice(prompt.lastIndexOf(`def ${entry_point}`));
  const withoutDocstring = (row: Row) =>
    signature(row).replace(/^ *("""|''')[\s\S]*?\1\n/m, "") + row.canonical_solution;
  const dressings: Readonly<Record<string, (row: Row) => string>> = {
    "the body": (row) => row.canonical_solution,
    "the body, trimmed": (row) => row.canonical_solution.trim(),
    "the body, without indentation": (row) => shift(row.canonical_solution, -4),
    "the body, fenced": (row) =>
      `Here is it:\n\n\`\`\`python\n${row.canonical_solution}\`\`\`\n\nIt works because it's right.`,
    "the body, in tabs": (row) =>
      row.canonical_solution.replace(/^(?: {4})+/gm, (space) => "\t".repeat(space.length / 4)),
    "the body, then more": (row) => `${row.canonical_solution}\n\ndef other(x):\n    return x\n\nprint(other(1))`,
    "the prompt repeated": (row) => row.prompt + row.canonical_solution,
    "the prompt repeated, in Windows lines": (row) => (row.prompt + row.canonical_solution).replace(/\n/g, "\r\n"),
    "the prompt repeated, fenced": (row) => `\`\`\`python\n${row.prompt}${row.canonical_solution}\`\`\``,
    "the function, without its imports": (row) =>
      `Sure!\n\n${signature(row)}${row.canonical_solution}\n\nThat's all there is to it.`,
    "the function, without its docstring": (row) => `\`\`\`\n${withoutDocstring(row)}\n\`\`\``,
    "an indented block": (row) => shift(`\`\`\`python\n${signature(row)}${row.canonical_solution}\`\`\``, 3),
    "a fence that is not closed": (row) => `\`\`\`python3\n${row.prompt}${row.canonical_solution}`,
    "the closing fence only": (row) => `${row.canonical_solution}\`\`\`\n\nThis function returns what's asked for.`,
    "after thoughts": (row) =>
      `<think>\ndef ${row.entry_point}(): pass\n</think>\n~~~py\n${withoutDocstring(row)}\n~~~`,
    JSON: (row) => JSON.stringify({ code: row.prompt + row.canonical_solution }),
  };

  it("reads every canonical solution in every dress to a program that passes (C16)", () => {
    const rows = gunzipSync(readFileSync(file))
      .toString("utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Row);
    const programs = rows.flatMap((row, number) =>
      Object.entries(dressings).map(([dress, wear]) => {
        const code = { prompt: row.prompt, entryPoint: row.entry_point, test: row.test };
        const question = { id: "q", text: row.prompt, options: [], gold: null, kind: "code", code } as const;
        const { answer } = readReply(question, { text: wear(row), finish: "stop" });
        return { name: `${number} ${dress}`, source: `${answer}\n${row.test}\ncheck(${row.entry_point})\n` };
      }),
    );
    const folder = mkdtempSync(join(tmpdir(), "read-code-"));
    try {
      writeFileSync(join(folder, "programs.json"), JSON.stringify(programs));
      const runAll = [
        "import json, sys",
        "failed = []",
        "for one in json.load(open(sys.argv[1])):",
        "    try: exec(compile(one['source'], one['name'], 'exec'), {'__name__': 'tested'})",
        "    except BaseException as error: failed.append(one['name'] + ': ' + repr(error))",
        "print('\\n' + json.dumps(failed))",
      ].join("\n");
      const output = execFileSync("python3", ["-I", "-c", runAll, join(folder, "programs.json")], {
        encoding: "utf8",
        timeout: 120_000,
        stdio: ["ignore", "pipe", "ignore"],
      });
      expect(JSON.parse(output.trim().split("\n").at(-1)!)).toEqual([]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  }, 150_000);
});
