import { join } from "node:path";
import {
  adversaryCount,
  checkFit,
  checkOverlap,
  openMethods,
  openWorld,
  type Recipe,
  runEpisode,
  type Split,
  type Trained,
} from "../assemble/index.ts";
import { writeFileAtomic } from "../base/files.ts";
import { createRng } from "../base/rng.ts";
import {
  type Cell,
  collectResults,
  markdownResults,
  type Progress,
  type Results,
  resultsCsv,
  type Sweep,
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
  /** Judges on questions the policy was trained on, too. */
  readonly allowOverlap?: boolean;
  readonly concurrency?: number;
  readonly signal?: AbortSignal;
  onProgress?(progress: Progress): void;
  onWarning?(warning: string): void;
}

/**
 * Judges a trained policy against every method the recipe names, on its test questions, and writes the results.
 * @throws ColloquyError `checkpoint/misfit` where the policy does not fit the recipe's world; see also `openWorld`
 */
export async function runEvaluation(trained: Trained, options: EvaluationOptions): Promise<Results> {
  const { sweep, splits } = await playMethods(trained, options);
  const results = summarizeSweep(sweep, trained.recipe, { command: options.command, splits });
  // What was cut short must not take the place of something whole.
  writeResults(results, results.complete ? options.out : join(options.out, "incomplete"));
  return results;
}

/** Plays the methods without judging them yet: studies put several of these together. */
export async function playMethods(
  { recipe, checkpoint }: Trained,
  options: Omit<EvaluationOptions, "out" | "command">,
): Promise<{ readonly sweep: Sweep; readonly splits: Split["hashes"] }> {
  const cells = cellsOf(recipe, options.rates);
  const world = await openWorld(recipe);
  checkFit(checkpoint, world.network);
  for (const warning of world.warnings) options.onWarning?.(warning);
  const questions = world.split.test.slice(0, options.limit);
  if (!options.allowOverlap) checkOverlap(checkpoint, questions);
  const played = await sweep({
    methods: await openMethods(world, recipe.evaluate.methods, checkpoint.weights),
    cells,
    questions,
    episodesPerCell: recipe.evaluate.episodes,
    seeds: recipe.evaluate.seeds,
    runEpisode,
    concurrency: options.concurrency ?? 16,
    signal: options.signal,
    onProgress: options.onProgress,
  });
  return { sweep: played, splits: world.split.hashes };
}

/** Rows, paired comparisons and headline of what was played. */
export function summarizeSweep(
  played: Sweep,
  recipe: Recipe,
  { command, splits }: { readonly command: string; readonly splits: Readonly<Record<string, string>> },
): Results {
  const methods = [...new Set(played.plays.map(({ method }) => method))];
  return collectResults(played, {
    benchmark: recipe.population.kind === "simulated" ? "synthetic" : "bank",
    population: recipe.population.kind,
    command,
    environment: describeProvenance(),
    splits,
    reference: methods.includes("learned") ? "learned" : methods[0],
    rng: createRng(recipe.seed).fork("statistics"),
  });
}

/** results.json, results.csv, table.md and accuracy.svg. */
export function writeResults(results: Results, out: string): void {
  const files = {
    "results.json": `${JSON.stringify(results, null, 2)}\n`,
    "results.csv": resultsCsv(results),
    "table.md": markdownResults(results),
    "accuracy.svg": drawAccuracy(results),
  };
  for (const [name, content] of Object.entries(files)) writeFileAtomic(join(out, name), content);
}

/** Numbers of adversaries × onsets; with nobody attacking the onset makes no difference, so that cell is played once. */
function cellsOf({ team: { agents }, attack, evaluate }: Recipe, rates: readonly number[] | undefined): Cell[] {
  const kind = evaluate.kind ?? attack.kind;
  const counts =
    rates?.map((rate) => ({ rate, adversaries: adversaryCount(rate, agents) })) ??
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
