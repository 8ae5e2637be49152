import { join } from "node:path";
import { isAblation, isRival, type MethodName, type Recipe } from "../assemble/index.ts";
import { writeFileAtomic } from "../base/files.ts";
import { createRng } from "../base/rng.ts";
import {
  type CreditCounts,
  collectResults,
  markdownResults,
  profileCredits,
  type Results,
  resultsCsv,
  type Sweep,
} from "../evaluate/index.ts";
import { drawAccuracy } from "../report/figures/accuracy-figures.ts";
import { describeProvenance } from "./provenance.ts";
import { mainMethod } from "./report/sections.ts";

/** Rows, paired comparisons and headline of what was played. */
export function summarizeSweep(
  played: Sweep,
  recipe: Recipe,
  {
    command,
    splits,
    benchmark = recipe.population.kind === "simulated" ? "synthetic" : "bank",
    credits = [],
  }: {
    readonly command: string;
    readonly splits: Readonly<Record<string, string>>;
    readonly benchmark?: string;
    readonly credits?: readonly CreditCounts[];
  },
): Results {
  const methods = [...new Set(played.plays.map(({ method }) => method))];
  return collectResults(played, {
    benchmark,
    population: recipe.population.kind,
    command,
    environment: describeProvenance(),
    splits,
    reference: methods.includes("learned") ? "learned" : methods[0],
    rivals: methods.filter(isRival),
    ablations: methods.filter((name) => isAblation(name as MethodName)),
    credits: profileCredits(credits).rows(),
    rng: createRng(recipe.seed).fork("statistics"),
  });
}

/** results.json, results.csv, table.md, accuracy.svg and, where they are given, the episodes that were kept. */
export function writeResults(results: Results, out: string, judged?: string): void {
  const files = {
    "results.json": `${JSON.stringify(results, null, 2)}\n`,
    "results.csv": resultsCsv(results),
    "table.md": markdownResults(results),
    "accuracy.svg": drawAccuracy(results.rows, mainMethod(results)),
    ...(judged === undefined ? {} : { "episodes-judged.jsonl": judged }),
  };
  for (const [name, content] of Object.entries(files)) writeFileAtomic(join(out, name), content);
}
