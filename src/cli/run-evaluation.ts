import { join } from "node:path";
import {
  checkFit,
  type Method,
  openMethods,
  openWorld,
  type Recipe,
  runEpisode,
  type Trained,
  type World,
} from "../assemble/index.ts";
import { writeFileAtomic } from "../base/files.ts";
import { createRng } from "../base/rng.ts";
import type { Question } from "../contracts/task.ts";
import {
  type Cell,
  collectResults,
  markdownResults,
  type Progress,
  type Results,
  resultsCsv,
  sweep,
} from "../evaluate/index.ts";
import { accuracyChart } from "../report/charts.ts";
import { describeProvenance } from "./provenance.ts";

export interface EvaluationOptions {
  /** Where results.json, results.csv, table.md and accuracy.svg go. */
  readonly out: string;
  /** The command that makes these numbers again. */
  readonly command: string;
  /** Attack rates instead of the recipe's numbers of adversaries. */
  readonly rates?: readonly number[];
  /** At most this many test questions. */
  readonly limit?: number;
  readonly concurrency?: number;
  readonly signal?: AbortSignal;
  onProgress?(progress: Progress): void;
  onWarning?(warning: string): void;
}

/**
 * Judges a trained policy against every method the recipe names, on its test questions, and writes the results.
 * @throws ColloquyError `checkpoint/misfit` where the policy does not fit the recipe's world; see also `openWorld`
 */
export async function runEvaluation({ recipe, checkpoint }: Trained, options: EvaluationOptions): Promise<Results> {
  const world = await openWorld(recipe);
  checkFit(checkpoint, world.network);
  for (const warning of world.warnings) options.onWarning?.(warning);
  const methods = await openMethods(world, recipe.evaluate.methods, checkpoint.weights);
  const results = await judge(world, methods, options);
  const files = {
    "results.json": `${JSON.stringify(results, null, 2)}\n`,
    "results.csv": resultsCsv(results),
    "table.md": markdownResults(results),
  };
  for (const [name, content] of Object.entries(files)) writeFileAtomic(join(options.out, name), content);
  writeFileAtomic(join(options.out, "accuracy.svg"), drawAccuracy(results));
  return results;
}

async function judge(world: World, methods: readonly Method[], options: EvaluationOptions): Promise<Results> {
  const { recipe, split } = world;
  const played = await sweep({
    methods,
    cells: cellsOf(recipe, options.rates),
    questions: limited(split.test, options.limit),
    episodesPerCell: recipe.evaluate.episodes,
    seeds: recipe.evaluate.seeds,
    runEpisode,
    concurrency: options.concurrency ?? 16,
    signal: options.signal,
    onProgress: options.onProgress,
  });
  return collectResults(played, {
    benchmark: recipe.population.kind === "simulated" ? "synthetic" : "bank",
    population: recipe.population.kind,
    command: options.command,
    environment: describeProvenance(),
    splits: split.hashes,
    reference: recipe.evaluate.methods.includes("learned") ? "learned" : recipe.evaluate.methods[0],
    baselines: ["untrained", "vote-first", "complete", "single"],
    rng: createRng(recipe.seed).fork("statistics"),
  });
}

/** Numbers of adversaries × onsets; with nobody attacking the onset makes no difference, so that cell is played once. */
function cellsOf({ team: { agents }, attack, evaluate }: Recipe, rates: readonly number[] | undefined): Cell[] {
  const kind = evaluate.kind ?? attack.kind;
  const counts =
    rates?.map((rate) => ({ rate, adversaries: Math.round(rate * agents + 1e-9) })) ??
    evaluate.adversaries.map((adversaries) => ({ rate: Math.round((adversaries / agents) * 1e4) / 1e4, adversaries }));
  return counts.flatMap(({ rate, adversaries }) =>
    (adversaries === 0 ? evaluate.onsets.slice(0, 1) : evaluate.onsets).map((onset) => ({
      kind,
      adversaries,
      rate,
      onset,
    })),
  );
}

const limited = (questions: readonly Question[], limit: number | undefined): readonly Question[] =>
  questions.slice(0, limit);

function drawAccuracy({ rows }: Results): string {
  const shown = ["learned", "vote-first", "complete", "oracle", "untrained"];
  const onset = rows.find(({ adversaries }) => adversaries > 0)?.onset;
  return accuracyChart(
    shown.flatMap((name) => {
      const points = rows
        .filter((row) => row.method === name && (row.adversaries === 0 || row.onset === onset))
        .map(({ attackRate, accuracy, low, high }) => ({ x: attackRate, y: accuracy, low, high }));
      return points.length === 0 ? [] : [{ name, points }];
    }),
  );
}
