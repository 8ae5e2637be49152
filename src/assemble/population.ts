import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Narration, narrated } from "../agents/index.ts";
import { ColloquyError } from "../base/errors.ts";
import type { Embedder } from "../contracts/embedder.ts";
import type { Population } from "../contracts/population.ts";
import { type Grader, kindOf, type Question } from "../contracts/task.ts";
import { type Bank, bankQuestions, fitLaw, readBank, recordedPopulation } from "../populations/index.ts";
import { languagePopulation } from "../populations/llm.ts";
import { defaultSimulation } from "../populations/simulated/settings.ts";
import { simulatedPopulation } from "../populations/simulated.ts";
import { createCodeGrader } from "../tasks/code/grade-code.ts";
import { openTask } from "../tasks/open-task.ts";
import { families, syntheticQuestions } from "../tasks/synthetic.ts";
import { type LiveOptions, type LiveTeam, needLive, openLiveTeam } from "./live.ts";
import type { Recipe } from "./recipe.ts";

/** What a world may need beside its recipe. */
export interface WorldOptions {
  /** How live language models are called; needed where the recipe's agents are some. */
  readonly live?: LiveOptions;
  /** Questions that language models are asked instead of the recipe's. */
  readonly questions?: readonly Question[];
  /** Instead of the recipe's. */
  readonly embedder?: Embedder;
  /** Whether answers are judged where that takes running programs. Default true. */
  readonly grades?: boolean;
  /** Told of what live models say, as they say it. */
  readonly onUtterance?: (said: Narration) => void;
}

/** A population with the questions it can answer. */
export interface OpenPopulation {
  readonly population: Population;
  readonly questions: readonly Question[];
  /** Name of what is asked, and its version where it has one: `mmlu@1`. */
  readonly benchmark: string;
  /** Judges answers where equality with the gold one does not. */
  readonly grade?: Grader;
  readonly live?: LiveTeam;
  readonly warnings: readonly string[];
}

type SimulatedRecipe = Extract<Recipe["population"], { kind: "simulated" }>;
type RecordedRecipe = Extract<Recipe["population"], { kind: "recorded" }>;

/** Opens what a recipe's `population` names. */
export async function openPopulation(recipe: Recipe, options: WorldOptions = {}): Promise<OpenPopulation> {
  const { population, attack, evaluate } = recipe;
  if (population.kind === "simulated") return openSimulated(population);
  if (population.kind === "llm") return openLanguageModels(population, recipe, options);
  const isAttacked = [...attack.adversaries, ...evaluate.adversaries].some((k) => k > 0);
  return openRecorded(population, isAttacked);
}

async function openLanguageModels(
  settings: Extract<Recipe["population"], { kind: "llm" }>,
  recipe: Recipe,
  options: WorldOptions,
): Promise<OpenPopulation> {
  const live = needLive(options.live);
  const task =
    options.questions === undefined
      ? await openTask({ ...recipe.task!, file: findFile(recipe.task!.file) })
      : { name: "questions", version: "questions", questions: options.questions, warnings: [] };
  const isCode = options.grades !== false && task.questions.some((question) => kindOf(question) === "code");
  // Whoever rehearses a run runs no programs, and must hear of the flag all the same.
  const grade = isCode ? createCodeGrader({ allowed: (live.allowCode ?? false) as true }) : undefined;
  const team = openLiveTeam(settings, recipe, live);
  const { kind: _kind, ...manner } = settings;
  const population = languagePopulation({
    ...manner,
    models: team.models,
    task: recipe.task?.name ?? task.name,
    onWarning: live.onNotice,
  });
  return {
    population: options.onUtterance === undefined ? population : narrated(population, options.onUtterance),
    questions: task.questions,
    benchmark: task.version,
    grade: live.rehearsal === undefined || grade === undefined ? grade : () => false,
    live: team,
    warnings: task.warnings,
  };
}

const packageRoot = resolve(import.meta.dirname, "..", "..");

/** Relative paths start at the current folder; what comes with the package is found by the same name. */
function findFile(path: string): string {
  const shipped = join(packageRoot, path);
  return !existsSync(path) && existsSync(shipped) ? shipped : path;
}

function openSimulated(settings: SimulatedRecipe): OpenPopulation {
  const { questions: counts, kind: _kind, independent, distributed, ...rest } = settings;
  const defaults = defaultSimulation;
  const population = simulatedPopulation({
    ...rest,
    independent: {
      ...defaults.independent,
      ...independent,
      force: { ...defaults.independent.force, ...independent.force },
    },
    distributed: { ...defaults.distributed, ...distributed },
  });
  const questions = families.flatMap((family) =>
    syntheticQuestions({ seed: settings.seed, count: counts[family], family }),
  );
  return { population, questions, benchmark: "synthetic", warnings: [] };
}

/** A bank's law is fitted when it is opened: the same bank gives the same law. */
function openRecorded({ bank: path }: RecordedRecipe, isAttacked: boolean): OpenPopulation {
  const bank = openBank(path);
  const population = recordedPopulation({ bank, law: fitLaw(bank) });
  const all = bankQuestions(bank);
  const usable = all.filter(
    (question) => question.gold !== null && (!isAttacked || population.targets(question).length > 0),
  );
  if (usable.length === 0 && all.length > 0) {
    throw new ColloquyError(
      "population/no-adversaries",
      `none of the ${all.length} questions in ${path} can be attacked: no recorded agent argued for a wrong answer it was told`,
      {
        hint: "Use it without attack (attack.adversaries: [0], evaluate.adversaries: [0]), or another bank.",
      },
    );
  }
  const warnings = [...bank.warnings];
  if (usable.length < all.length) {
    warnings.push(
      `${all.length - usable.length} of ${all.length} questions have no gold answer or nothing an adversary could say; left out`,
    );
  }
  return { population, questions: usable, benchmark: "bank", warnings };
}

function openBank(path: string): Bank {
  try {
    return readBank(path);
  } catch (error) {
    if (!(error instanceof ColloquyError && error.code === "file/read")) throw error;
    throw new ColloquyError(error.code, `population.bank: ${error.message}`, {
      hint: "Make a bank with `colloquy import`, or name it: --set population.bank=PATH. Relative paths start at the current folder.",
      cause: error,
    });
  }
}
