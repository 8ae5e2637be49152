import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ablations } from "../src/assemble/ablations.ts";
import { ablatedRecipe, checkRecipe, findTrained, type Trained } from "../src/assemble/index.ts";
import { sum } from "../src/base/stats.ts";
import { type EvaluationOptions, runEvaluation } from "../src/cli/run-evaluation.ts";
import { runTraining } from "../src/cli/run-training.ts";

const folder = mkdtempSync(join(tmpdir(), "colloquy-contenders-"));
afterAll(() => rmSync(folder, { recursive: true }));

const methods = ["learned", "vote-first", "static-edges", "static-edges/pruned", "credibility", "learned/no-memory"];
const recipe = {
  name: "contenders",
  team: { agents: 4 },
  population: { kind: "simulated" as const, questions: { independent: 40, distributed: 0 } },
  network: { projection: 4, hidden: 6 },
  train: { steps: 8, starts: 6, samples: 2, validation: { every: 4, episodes: 24 } },
  attack: { adversaries: [0, 1] },
  evaluate: { methods, adversaries: [0, 1], onsets: ["first"], episodes: 20 },
};
const run = join(folder, "run");
let trained: Trained;
beforeAll(async () => {
  await runTraining(checkRecipe(recipe, "the test"), { out: run });
  trained = await findTrained(run, [`evaluate.methods=${JSON.stringify(methods)}`, "evaluate.adversaries=[0,1]"]);
});

interface Heard {
  readonly trained: Set<string>;
  readonly warnings: string[];
}

async function evaluate(options: Partial<EvaluationOptions> = {}) {
  const heard: Heard = { trained: new Set(), warnings: [] };
  const results = await runEvaluation(trained, {
    out: join(folder, "out"),
    command: "the test",
    onTraining: (method) => heard.trained.add(method),
    onWarning: (warning) => heard.warnings.push(warning),
    ...options,
  });
  return { rows: results.rows, ...heard };
}

const contenders = (): string[] => readdirSync(join(run, "contenders"));

describe("the contenders of an evaluation", () => {
  it("are trained once, beside the run, and give the same results whenever they are judged", async () => {
    const first = await evaluate();
    expect([...first.trained].sort()).toEqual(methods.slice(2).sort());
    expect(
      contenders()
        .map((name) => name.replace(/-[0-9a-f]{8}.*$/, ""))
        .sort(),
    ).toEqual(["credibility", "learned-no-memory", "static-edges", "static-edges-pruned"].sort());
    const second = await evaluate({ concurrency: 1 });
    expect(second.trained.size).toBe(0);
    expect(second.rows).toEqual(first.rows);
  });

  it("spend as many agent calls as the policy, with an update more at most", async () => {
    await evaluate();
    const metrics = readFileSync(join(run, "metrics.jsonl"), "utf8").trim().split("\n");
    const own = sum(metrics.map((line) => JSON.parse(line)["rollout/callsShared"] ?? 0));
    expect(trained.calls).toBe(own);
    const place = contenders().find((name) => name.startsWith("learned-no-memory"))!;
    const spent = readFileSync(join(run, "contenders", place, "metrics.jsonl"), "utf8")
      .trim()
      .split("\n");
    const calls = spent.map((line) => JSON.parse(line)["rollout/callsShared"] ?? 0);
    expect(sum(calls)).toBeGreaterThanOrEqual(own);
    expect(sum(calls) - Math.max(...calls)).toBeLessThan(own + Math.max(...calls));
  });

  it("are trained anew where their file is damaged or another's, and the reader is told", async () => {
    const before = await evaluate();
    const path = (name: string): string => join(run, "contenders", contenders().find((file) => file.startsWith(name))!);
    const credibility = readFileSync(path("credibility"));
    writeFileSync(path("credibility"), "torn");
    writeFileSync(
      join(run, "contenders", contenders().find((file) => /^static-edges-[0-9a-f]{8}/.test(file))!),
      credibility,
    );
    const after = await evaluate();
    expect(after.warnings.filter((warning) => /cannot be used.*is trained again/s.test(warning))).toHaveLength(2);
    expect([...after.trained].sort()).toEqual(["credibility", "static-edges"]);
    expect(after.rows).toEqual(before.rows);
  });

  it("end with the evaluation when it is interrupted, as a run that goes on", async () => {
    rmSync(join(run, "contenders"), { recursive: true });
    const controller = new AbortController();
    const interrupted = evaluate({ signal: controller.signal, onTraining: () => controller.abort() });
    await expect(interrupted).rejects.toMatchObject({ code: "llm/cancelled", endsRun: true });
  });
});

describe("an ablation", () => {
  const own = checkRecipe(
    { ...recipe, behaviour: { features: ["sameAnswerShare", "heardSameShare", "spoke"] } },
    "own",
  );

  it.each(Object.keys(ablations))("%s changes the recipe in what it names, and in nothing else", (name) => {
    const { changes, without } = ablations[
      name as keyof typeof ablations
    ] as (typeof ablations)["learned/no-neighbours"];
    const ablated = ablatedRecipe(own, name as keyof typeof ablations);
    const sections = new Set([...Object.keys(changes), ...(without === undefined ? [] : ["behaviour"])]);
    for (const [section, keys] of Object.entries(own)) {
      if (!sections.has(section)) expect(ablated[section as keyof typeof ablated]).toEqual(keys);
    }
    expect(ablated).not.toEqual(own);
    if (without !== undefined) expect(ablated.behaviour.features).toEqual(["sameAnswerShare", "spoke"]);
  });
});
