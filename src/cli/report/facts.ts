import type { Recipe } from "../../assemble/index.ts";
import { wilson } from "../../base/intervals.ts";
import { isRecord } from "../../base/json.ts";
import type { Results } from "../../evaluate/index.ts";
import type { RunMetrics } from "../../report/files/metrics.ts";
import type { ReportData } from "../../report/report-data.ts";
import type { ReportSources } from "./sources.ts";

/** What came of a run in plain words: the judge's headline, or how far training is. */
export function headlineOf({ results, damage, recipe }: ReportSources, runs: readonly RunMetrics[]): string {
  if (results !== null) return results.headline;
  const judged =
    damage === undefined
      ? "It has not been judged."
      : `Results are there and cannot be read: ${damage.replace(/\s+/g, " ")}`;
  if (runs.length === 0) return damage === undefined ? "Nothing has been logged yet." : judged;
  const [run] = runs;
  const planned = recipe === null ? undefined : recipe.train.steps + recipe.train.warmStartSteps;
  const updates =
    planned !== undefined && run.updates < planned ? `${run.updates} of ${planned} updates` : `${run.updates} updates`;
  const best = run.validations.toSorted((a, b) => b.value - a.value)[0];
  const size = runs.length === 1 ? "" : `${runs.length} runs. The first: `;
  const trained = `${size}Trained for ${updates} (${number(run.episodes)} episodes, ${number(run.calls)} agent calls).`;
  return [trained, best === undefined ? "There was no validation yet." : describeBest(best), judged]
    .filter(Boolean)
    .join(" ");
}

function describeBest({ value, episodes, step }: RunMetrics["validations"][number]): string {
  if (!(episodes > 0)) return `Best validation accuracy ${fixed(value)}, after update ${step}.`;
  const { low, high } = wilson(Math.round(value * episodes), episodes);
  return `Best validation accuracy ${fixed(value)} [${fixed(low)}, ${fixed(high)}] over ${number(episodes)} episodes, after update ${step}.`;
}

/** What a reader must know to judge the numbers and to get them again. */
export function factsOf(
  { recipe, results, environment, runs }: ReportSources,
  metrics: readonly RunMetrics[],
): ReportData["facts"] {
  const made = { ...environment, ...results?.environment };
  const hashes = isRecord(environment["questions"]) ? environment["questions"] : (results?.splits ?? {});
  const facts: (readonly [string, string | undefined])[] = [
    ["Command", results?.command],
    ...(recipe === null ? [] : recipeFacts(recipe)),
    ["Runs", runs.length > 1 ? runs.map(({ name }) => name).join(", ") : undefined],
    ["Training", metrics.length === 0 ? undefined : describeTraining(metrics)],
    ["Judging", results === null ? undefined : describeJudging(results)],
    ["Questions (hashes of the splits)", pairs(hashes)],
    ["Benchmark", text(environment["benchmark"]) ?? results?.rows[0]?.benchmark],
    ["Colloquy", [text(made["colloquy"]), text(made["commit"])?.slice(0, 12)].filter(Boolean).join(", commit ")],
    ["Made on", [text(made["node"]), text(made["platform"]), text(environment["backend"])].filter(Boolean).join(", ")],
  ];
  return facts.flatMap(([name, value]) => (value === undefined || value === "" ? [] : [[name, value] as const]));
}

function recipeFacts({ name, team, seed, population, topology, vote, attack, split }: Recipe): [string, string][] {
  const agents =
    population.kind === "recorded"
      ? `recorded, from ${population.bank}`
      : population.kind === "llm"
        ? `language models: ${population.models.map((model) => (typeof model === "string" ? model : model.model)).join(", ")}`
        : "simulated";
  const { rule, ...limits } = topology;
  const budget = Object.entries(limits).filter(([, limit]) => limit !== null);
  return [
    ["Recipe", `${name}, seed ${seed}, split by seed ${split.seed}`],
    ["Team", `${team.agents} agents, ${team.rounds} rounds`],
    ["Agents", agents],
    ["Graph", `${rule}; limits: ${budget.map(([key, limit]) => `${key} ${limit}`).join(", ") || "none"}`],
    ["Vote", `${vote.rule}, of ${vote.voters === "all" ? "all agents" : "those who take part"}`],
    [
      "Attack in training",
      `${attack.kind}; ${attack.adversaries.join(", ")} adversaries; onset ${attack.onsets.join(" or ")}`,
    ],
  ];
}

function describeTraining(runs: readonly RunMetrics[]): string {
  const total = (of: (run: RunMetrics) => number): string => number(runs.reduce((sum, run) => sum + of(run), 0));
  const what = `${total((run) => run.updates)} updates, ${total((run) => run.episodes)} episodes, ${total((run) => run.calls)} agent calls`;
  return runs.length === 1 ? what : `${what}, in ${runs.length} runs`;
}

function describeJudging({ played, planned, rows }: Results): string {
  const seeds = [...new Set(rows.flatMap((row) => row.seeds))].join(", ");
  const questions = Math.max(0, ...rows.map((row) => row.questions));
  const episodes = played === planned ? number(played) : `${number(played)} of ${number(planned)}`;
  return `${episodes} episodes on ${questions} questions, seed ${seeds}`;
}

const text = (value: unknown): string | undefined => (typeof value === "string" ? value.slice(0, 1000) : undefined);

const pairs = (record: Readonly<Record<string, unknown>>): string =>
  Object.entries(record)
    .map(([name, value]) => `${name} ${text(value) ?? ""}`)
    .join(", ");

const number = (value: number): string =>
  Number.isNaN(value) ? "an unknown number of" : value.toLocaleString("en-US");

const fixed = (value: number): string => value.toFixed(2).replace(/^0\./, ".");
