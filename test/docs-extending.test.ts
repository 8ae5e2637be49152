import { spawn } from "node:child_process";
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { freshFolder } from "./support/child.ts";
import { applyPage, listBlocks, listChanges, listFiles } from "./support/describe-changes.ts";
import { readPage, withLines } from "./support/describe-page.ts";

const root = resolve(import.meta.dirname, "..");
const page = readPage("docs/extending.md");

describe("the page on extending", () => {
  it("links to the lines of the code (npx vitest run test/docs-extending.test.ts -u writes them anew)", async () => {
    await expect(withLines(page)).toMatchFileSnapshot("../docs/extending.md");
  });

  it("has an example of everything it names", () => {
    expect(listFiles(page).map(({ path }) => path)).toEqual([
      "src/tasks/benchmarks/riddles.ts",
      "src/topology/pairs.ts",
      "src/attacks/gang.ts",
      "src/nets/credit-elman.ts",
      "outside/panel.ts",
      "outside/play-panel.ts",
      "src/rivals/best-speaker.ts",
      "src/populations/import/transcripts.ts",
      "outside/own-model.ts",
      "src/llm/server/generate.ts",
      "src/minds/apprentice.ts",
      "src/attacks/minds/mumble.ts",
    ]);
    expect(listChanges(page).length).toBeGreaterThan(25);
  });
});

/** Runs a program of the packages in a folder. @returns what it said where it failed, else an empty text */
const run = (program: string, args: readonly string[], cwd: string): Promise<{ code: number | null; said: string }> =>
  new Promise((done, fail) => {
    const child = spawn(process.execPath, [join(root, "node_modules", program), ...args], {
      cwd,
      env: { PATH: process.env["PATH"], NO_COLOR: "1" },
    });
    let said = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => {
        said += text;
      });
    child.on("error", fail).on("close", (code) => done({ code, said }));
  });

describe("a copy of the repository with all examples of the page in it", () => {
  const copy = freshFolder();
  beforeAll(() => {
    for (const name of ["src", "test", "benchmarks/speed", "training", "docs", "package.json", "tsconfig.json"])
      cpSync(join(root, name), join(copy, name), { recursive: true });
    symlinkSync(join(root, "node_modules"), join(copy, "node_modules"), "junction");
    applyPage(page, copy);
    for (const [k, name] of ["riddles.jsonl", "bank.jsonl"].entries())
      writeFileSync(join(copy, name), listBlocks(page, "json")[k]);
    mkdirSync(join(copy, "cache"));
    writeFileSync(join(copy, "vitest.config.ts"), config(copy));
  });

  it("compiles", { timeout: 300_000 }, async () => {
    const parts = ["src", "outside", "test/support/describe-examples.ts", "test/nets.test.ts", "test/forward.test.ts"];
    writeFileSync(join(copy, "tsconfig.examples.json"), JSON.stringify({ extends: "./tsconfig.json", include: parts }));
    const { code, said } = await run("typescript/bin/tsc", ["--noEmit", "-p", "tsconfig.examples.json"], copy);
    expect(said).toBe("");
    expect(code).toBe(0);
  });

  it("passes the suites that go through the tables, and plays what has none", { timeout: 300_000 }, async () => {
    const deliberation = ["topology", "topology-temporal", "attacks", "environment", "nets", "forward", "benchmarks"];
    const suites = [...deliberation, "attacks-minds", "workplace-planning", "train-workplace"];
    const cases = [
      "topology rule pairs",
      "behind the rule pairs",
      "attack gang",
      "credit-elman",
      "plain recurrent layer",
      "common random numbers",
      "has a card for each",
      "a plan of an attack",
      "a plan cut modular",
      "a workplace is trained",
      "an example",
    ];
    const files = [...suites.map((name) => `test/${name}.test.ts`), "test/support/describe-examples.ts"];
    const { code, said } = await run("vitest/vitest.mjs", ["run", ...files, "-t", cases.join("|")], copy);
    expect(code, said).toBe(0);
    // Every suite had something to say of the examples.
    for (const file of files) expect(said).toMatch(new RegExp(`✓ ${file.replaceAll(".", "\\.")} \\(\\d+ tests?`));
    expect(Number(/Tests +(\d+) passed/.exec(said)?.[1])).toBeGreaterThan(55);
  });
});

const config = (folder: string): string => `import { defineConfig } from "vitest/config";
export default defineConfig({
  cacheDir: ${JSON.stringify(join(folder, "cache"))},
  resolve: { alias: { colloquy: ${JSON.stringify(join(folder, "src", "index.ts"))} } },
  test: { include: ["test/**/*.test.ts", "test/support/describe-examples.ts"], testTimeout: 60_000, pool: "forks" },
});
`;
