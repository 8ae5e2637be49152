import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tinyBank } from "../../benchmarks/speed/tiny-bank.ts";
import {
  checkRecipe,
  openMethods,
  openWorld,
  type Recipe,
  trainedPart,
  untrainedWeights,
} from "../../src/assemble/index.ts";
import { createRng } from "../../src/base/rng.ts";
import type { EpisodeRecord } from "../../src/contracts/trace.ts";
import { runEpisode } from "../../src/environments/index.ts";
import {
  type Cell,
  collectResults,
  keepEpisodes,
  profileCredits,
  type Results,
  sweep,
} from "../../src/evaluate/index.ts";
import { writeBank } from "../../src/populations/bank.ts";

/** What a made-up run and its evaluation leave behind. */
export interface JudgedRun {
  readonly recipe: Recipe;
  readonly results: Results;
  /** The content of `episodes-judged.jsonl`. */
  readonly judged: string;
  readonly played: readonly { readonly record: EpisodeRecord; readonly method: string; readonly cell: Cell }[];
}

const methods = ["learned", "untrained", "vote-first", "self-consistency", "complete", "oracle"] as const;

/** Plays some methods of a small recorded team (with weights that were never trained) and judges them. */
export async function playJudgedRun(folder: string): Promise<JudgedRun> {
  const bank = join(folder, "bank.jsonl");
  mkdirSync(folder, { recursive: true });
  writeBank(bank, tinyBank());
  const recipe = checkRecipe({ name: "tiny", population: { kind: "recorded", bank } }, "the test");
  const world = await openWorld(recipe);
  const cells = [0, 2, 4].map((k): Cell => ({ kind: "collude", adversaries: k, rate: k / 6, onset: "first" }));
  const kept = keepEpisodes({ methods: methods.length, cells: cells.length });
  const credits = profileCredits();
  const played: { record: EpisodeRecord; method: string; cell: Cell }[] = [];
  const swept = await sweep({
    methods: await openMethods(world, [...methods], { learned: untrainedWeights(world), contenders: new Map() }),
    cells,
    questions: world.split.test,
    episodesPerCell: 12,
    seeds: [1, 2],
    runEpisode,
    onRecord(record, method, cell) {
      kept.add(record, method, cell);
      credits.add(record, method, cell);
      played.push({ record, method, cell });
    },
  });
  const results = collectResults(swept, {
    benchmark: "bank",
    population: "recorded",
    command: "colloquy evaluate tiny",
    environment: {},
    splits: { test: "0123" },
    credits: credits.rows(),
    rng: createRng(1),
  });
  return { recipe, results, judged: kept.lines(recipe), played };
}

/** Writes what training leaves in a run folder: the recipe, twenty updates of metrics, and these episodes. */
export function writeTrainedRun(folder: string, recipe: Recipe, records: readonly EpisodeRecord[]): string {
  mkdirSync(folder, { recursive: true });
  const lines = (entries: readonly unknown[]): string => entries.map((entry) => `${JSON.stringify(entry)}\n`).join("");
  writeFileSync(join(folder, "recipe.json"), JSON.stringify(trainedPart(recipe)));
  writeFileSync(join(folder, "environment.json"), JSON.stringify({ colloquy: "0.1.0", questions: { test: "0123" } }));
  const updates = Array.from({ length: 20 }, (_, k) => ({
    step: k + 1,
    "rollout/utility": 0.4 + k / 100,
    "rollout/episodes": 8,
    "rollout/calls": 100,
    "train/entropy": 0.6 - k / 100,
  }));
  const validations = [10, 20].map((step) => ({ step, "eval/accuracy": 0.5 + step / 100, "eval/episodes": 50 }));
  writeFileSync(join(folder, "metrics.jsonl"), lines([...updates, ...validations]));
  writeFileSync(join(folder, "episodes.jsonl"), lines(records.map((record) => ({ step: 0, ...record }))));
  return folder;
}
