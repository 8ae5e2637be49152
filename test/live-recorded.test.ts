import { existsSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Results } from "../src/evaluate/index.ts";
import { readBank } from "../src/populations/index.ts";
import { bankBrain } from "./support/bank-brain.ts";
import { type BuiltCommand, buildCommand, runCommand } from "./support/built-command.ts";
import { freshFolder } from "./support/child.ts";
import { liveEnvironment, writeLiveRecipe } from "./support/live-run.ts";
import { type ModelServer, startModelServer } from "./support/model-server.ts";

const debates = resolve("..", "shared", "data", "recorded", "multi-agent-attack", "mmlu");

/** The same training and judging for agents of a bank and for live ones that a server gives the words of that bank. */
const settings = {
  team: { agents: 6, rounds: 3 },
  attack: { adversaries: [0, 1, 2, 3, 4] },
  network: { projection: 4, hidden: 32 },
  train: {
    steps: 30,
    starts: 20,
    samples: 2,
    reward: "soft",
    dropout: 0.9,
    embeddingRate: 8,
    averaging: 0.9,
    validation: { every: 15, episodes: 60 },
  },
  evaluate: {
    methods: ["learned", "vote-first", "complete", "oracle"],
    adversaries: [0, 2, 4],
    onsets: ["first", "uniform"],
    episodes: 100,
  },
};

describe.skipIf(!existsSync(debates))("recorded debates over HTTP (skipped: recorded debates not present)", () => {
  let command: BuiltCommand;
  let server: ModelServer;
  const results: Record<string, Results> = {};

  beforeAll(async () => {
    command = buildCommand();
    const folder = freshFolder();
    const type = async (env: NodeJS.ProcessEnv | undefined, ...args: string[]): Promise<string> => {
      const { code, stdout, stderr } = await runCommand(command, args, folder, env);
      if (code !== 0) throw new Error(`colloquy ${args.join(" ")} ended with ${code}: ${stderr}`);
      return stdout;
    };
    await type(undefined, "import", "multi-agent-attack", debates, "--out", "bank.jsonl");
    const bank = readBank(join(folder, "bank.jsonl"));
    server = await startModelServer({ reply: bankBrain(bank) });
    const live = writeLiveRecipe(folder, bank, settings);
    const recorded = join(folder, "recorded-test.json");
    writeFileSync(
      recorded,
      JSON.stringify({ name: "recorded-test", population: { kind: "recorded", bank: "bank.jsonl" }, ...settings }),
    );
    for (const [name, recipe, env] of [
      ["live", live, liveEnvironment(server.url)],
      ["recorded", recorded, undefined],
    ] as const) {
      await type(env, "train", recipe, "--out", name, "--concurrency", "64");
      results[name] = JSON.parse(await type(env, "evaluate", name, "--json", "--concurrency", "64"));
    }
  }, 240_000);
  afterAll(async () => {
    command.remove();
    await server?.close();
  });

  it("training through HTTP reaches the same table as the recorded population, within intervals", () => {
    for (const row of results.live.rows) {
      const twin = results.recorded.rows.find(
        ({ method, adversaries, onset }) =>
          method === row.method && adversaries === row.adversaries && onset === row.onset,
      )!;
      const cell = `${row.method}, ${row.adversaries} adversaries, ${row.onset}: ${row.accuracy} and ${twin.accuracy}`;
      expect(row.low, cell).toBeLessThanOrEqual(twin.high);
      expect(twin.low, cell).toBeLessThanOrEqual(row.high);
    }
  });

  it("every reply was read, and no episode failed", () => {
    for (const { method, errors, unparsed, n } of results.live.rows) {
      expect(errors, method).toBe(0);
      expect(unparsed / n, method).toBeLessThan(0.02);
    }
  });
});
