import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { shortHash } from "../src/base/hash.ts";
import { createRng } from "../src/base/rng.ts";
import { type BuiltCommand, buildCommand, type Ended, runCommand } from "./support/built-command.ts";
import { freshFolder } from "./support/child.ts";
import { liveEnvironment } from "./support/live-run.ts";
import { type ChatBody, type ModelServer, startModelServer } from "./support/model-server.ts";

/** Functions to write, in the form of HumanEval: what is asked, a right body, a wrong one, and a test that tells them apart. */
const functions = [
  {
    name: "add_up",
    about: "Return the sum of a list of numbers.",
    right: "return sum(xs)",
    wrong: "return len(xs)",
    test: "assert candidate([1, 2, 4]) == 7",
  },
  {
    name: "largest",
    about: "Return the largest of a list of numbers.",
    right: "return max(xs)",
    wrong: "return xs[0]",
    test: "assert candidate([1, 5, 2]) == 5",
  },
  {
    name: "backwards",
    about: "Return the list in reverse order.",
    right: "return xs[::-1]",
    wrong: "return xs",
    test: "assert candidate([1, 2]) == [2, 1]",
  },
  {
    name: "evens",
    about: "Return how many numbers are even.",
    right: "return sum(x % 2 == 0 for x in xs)",
    wrong: "return sum(xs) % 2",
    test: "assert candidate([2, 4, 6, 7]) == 3",
  },
  {
    name: "double",
    about: "Return every number twice as large.",
    right: "return [2 * x for x in xs]",
    wrong: "return xs + xs",
    test: "assert candidate([1, 2]) == [2, 4]",
  },
  {
    name: "shift",
    about: "Return every number one larger.",
    right: "return [x + 1 for x in xs]",
    wrong: "return xs[1:]",
    test: "assert candidate([1, 2]) == [2, 3]",
  },
];

const lines = functions.map(({ name, about, right, test }, i) =>
  JSON.stringify({
    task_id: `Own/${i}`,
    prompt: `def ${name}(xs):\n    """${about}"""\n`,
    entry_point: name,
    canonical_solution: `    ${right}\n`,
    test: `def check(candidate):\n    ${test}\n`,
  }),
);

/** Programs as models write them: fenced, or the body alone; right two times of three, and wrong under orders. */
function writeProgram({ messages, seed }: ChatBody): string {
  const [system, user] = messages.map(({ content }) => content);
  const wanted = functions.find(({ name }) => user.includes(`def ${name}(`))!;
  const rng = createRng(shortHash(JSON.stringify([messages, seed]), 12));
  const body = rng.uniform() < 0.67 && !system.includes("subtle fault") ? wanted.right : wanted.wrong;
  return rng.uniform() < 0.8
    ? `Here it is:\n\`\`\`python\ndef ${wanted.name}(xs):\n    ${body}\n\`\`\`\nIt runs in linear time.`
    : `\`\`\`python\n    ${body}\n\`\`\``;
}

const hasPython = spawnSync("python3", ["--version"]).status === 0;

describe.skipIf(!hasPython)("programs of live models (skipped: python3 is not here)", () => {
  let command: BuiltCommand;
  let server: ModelServer;
  let folder: string;
  const type = (...args: string[]): Promise<Ended> => runCommand(command, args, folder, liveEnvironment(server.url));
  beforeAll(async () => {
    command = buildCommand();
    folder = freshFolder();
    server = await startModelServer({ reply: writeProgram });
    writeFileSync(join(folder, "functions.jsonl"), `${lines.join("\n")}\n`);
    const recipe = {
      name: "programs",
      population: { kind: "llm", models: ["coder"] },
      task: { name: "humaneval", file: "functions.jsonl" },
      split: { train: 0.4, validation: 0.2, test: 0.4 },
      team: { agents: 3, rounds: 2 },
      attack: { adversaries: [0, 1] },
      network: { projection: 4, hidden: 8 },
      train: { steps: 2, starts: 2, samples: 2, validation: { every: 2, episodes: 2 } },
      evaluate: { methods: ["learned", "vote-first", "oracle"], adversaries: [0, 1], onsets: ["first"], episodes: 6 },
    };
    writeFileSync(join(folder, "programs.json"), JSON.stringify(recipe));
  });
  afterAll(async () => {
    command.remove();
    await server?.close();
  });

  it("are not run unless the user says so: nothing is asked, exit code 2, and the reason", async () => {
    const refused = await type("train", "programs.json");
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(/running programs.*not allowed/s);
    expect(refused.stderr).toMatch(/no security boundary/);
    expect(server.log).toEqual([]);
  });

  it("are judged by their tests in training and judging, with the flag", async () => {
    const trained = await type("train", "programs.json", "--allow-code", "--out", "run", "--json");
    expect(trained.code, trained.stderr).toBe(0);
    expect(trained.stderr).toMatch(/no security boundary/);
    const judged = await type("evaluate", "run", "--allow-code", "--json");
    expect(judged.code, judged.stderr).toBe(0);
    const rows: { method: string; adversaries: number; accuracy: number; unparsed: number; errors: number }[] =
      JSON.parse(judged.stdout).rows;
    for (const { unparsed, errors } of rows) expect([unparsed, errors]).toEqual([0, 0]);
    const mean = rows.reduce((sum, { accuracy }) => sum + accuracy, 0) / rows.length;
    expect(mean).toBeGreaterThan(0.2);
    expect(mean).toBeLessThan(1);
  });
});
