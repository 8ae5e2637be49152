import { readdirSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { ZodObject } from "zod";
import { checkRecipe, findTrained } from "../src/assemble/index.ts";
import { readJsonLines } from "../src/base/jsonl.ts";
import { writeReport } from "../src/cli/report/write-report.ts";
import { runEvaluation } from "../src/cli/run-evaluation.ts";
import { runTraining } from "../src/cli/run-training.ts";
import { comparisonSchema, creditRowSchema, resultRowSchema, resultsSchema } from "../src/evaluate/index.ts";
import {
  workplaceComparisonSchema,
  workplaceResultsSchema,
  workplaceRowSchema,
} from "../src/evaluate/workplace/schema.ts";
import { deliberationReading, workplaceReading } from "../src/train/index.ts";
import { freshFolder } from "./support/child.ts";
import { listRows, readPage, sectionOf, withLines } from "./support/describe-page.ts";

const page = readPage("docs/measures.md");
const keysOf = ({ shape }: ZodObject): string[] => Object.keys(shape);

describe("the page of measures", () => {
  it("links to the lines of the code (npx vitest run test/docs-measures.test.ts -u writes them anew)", async () => {
    await expect(withLines(page)).toMatchFileSnapshot("../docs/measures.md");
  });

  it.each([
    ["## Rows of results", resultRowSchema],
    ["## Comparisons", comparisonSchema],
    ["## Credits", creditRowSchema],
    ["## The whole file", resultsSchema],
    ["### Rows of the workplace", workplaceRowSchema],
    ["### Comparisons of the workplace", workplaceComparisonSchema],
    ["### The whole file of the workplace", workplaceResultsSchema],
  ])("%s: explains every column, once, and no other", (heading, schema) => {
    expect(listRows(sectionOf(page, heading)).sort()).toEqual(keysOf(schema).sort());
  });

  it.each([
    ["metrics.jsonl", ["rollout", "train", "eval"]],
    ["timing.jsonl", ["time"]],
  ])("explains every key that the trainer writes to %s, and no other", (log, kinds) => {
    const source = ["step", "validate", "deliberation-reading"]
      .map((file) => readPage(`src/train/${file}.ts`))
      .join("\n");
    const key = `"((?:${kinds.join("|")})/\\w+)"`;
    const written = [...source.matchAll(new RegExp(`${key}:|Key: ${key}`, "g"))].map(([, one, other]) => one ?? other);
    expect(listRows(sectionOf(page, `## Keys of \`${log}\``)).sort()).toEqual(["step", ...new Set(written)].sort());
  });
});

describe("the page of measures, of the workplace", () => {
  const section = sectionOf(page, "### Keys of its `metrics.jsonl`");

  it("explains every key that only its validations log, and names those of deliberation that they do not", () => {
    const ownKeys = ({ utilityKey, outcomeKeys }: typeof workplaceReading | typeof deliberationReading): string[] => [
      utilityKey,
      ...Object.keys(outcomeKeys),
    ];
    expect(listRows(section)).toEqual(expect.arrayContaining(ownKeys(workplaceReading)));
    for (const key of ownKeys(deliberationReading)) expect(section).toContain(`no \`${key}\``);
  });

  it("explains every verdict of a comparison", () => {
    const { hours, communicationHours } = workplaceComparisonSchema.shape;
    const comparisons = sectionOf(page, "### Comparisons of the workplace");
    for (const { shape } of [hours, communicationHours])
      for (const verdict of shape.verdict.options) expect(comparisons).toContain(`\`${verdict}\``);
  });
});

describe("a run that was trained, judged and reported", () => {
  const run = freshFolder();
  beforeAll(async () => {
    const recipe = checkRecipe(
      {
        name: "documented",
        population: { kind: "simulated", questions: { independent: 40 } },
        train: { steps: 2, starts: 2, samples: 2, cost: { weight: 0.001 }, validation: { every: 1, episodes: 4 } },
        evaluate: {
          methods: ["learned", "vote-first", "static-edges", "learned/no-memory"],
          adversaries: [0, 2],
          onsets: ["first"],
          episodes: 8,
        },
      },
      "the test",
    );
    await runTraining(recipe, { out: run });
    await runEvaluation(await findTrained(run, []), { out: run, command: "colloquy evaluate documented" });
    await writeReport(run, { script: "", style: "" });
  });

  it("leaves no file that the page does not explain, and every file that it does not tie to a condition", () => {
    const rows = listRows(sectionOf(page, "## Files"));
    const patterns = rows.map((name) => ({ name, pattern: patternOf(name) }));
    const files = readdirSync(run, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(run, join(entry.parentPath, entry.name)).split(sep).join("/"));
    expect(files.filter((file) => !patterns.some(({ pattern }) => pattern.test(file)))).toEqual([]);
    const missing = patterns.filter(({ pattern }) => !files.some((file) => pattern.test(file)));
    expect(missing.map(({ name }) => name)).toEqual(["calls.jsonl", "incomplete/"]);
  });

  it("logs no key that the page does not explain", () => {
    for (const log of ["metrics.jsonl", "timing.jsonl"]) {
      const rows = listRows(sectionOf(page, `## Keys of \`${log}\``));
      const { records } = readJsonLines(join(run, log));
      expect(records.length).toBeGreaterThan(1);
      for (const record of records) expect(rows).toEqual(expect.arrayContaining(Object.keys(record as object)));
    }
  });
});

/** A folder stands for all in it; words in capitals for what differs. A checkpoint keeps its forerunner beside it. */
const patternOf = (name: string): RegExp => {
  const text = name.replaceAll(".", "\\.").replace("TIME", "\\d+");
  return new RegExp(`^${text}${name.endsWith("/") ? "" : name.includes("/") ? "(\\.previous)?/" : "$"}`);
};
