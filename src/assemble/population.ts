import { ColloquyError } from "../base/errors.ts";
import { type Bank, bankQuestions, fitLaw, readBank, recordedPopulation } from "../populations/index.ts";
import { defaultSimulation } from "../populations/simulated/settings.ts";
import { simulatedPopulation } from "../populations/simulated.ts";
import { families, syntheticQuestions } from "../tasks/synthetic.ts";
import { openLanguageModels } from "./language-models.ts";
import type { OpenPopulation, WorldOptions } from "./open-population.ts";
import type { Recipe } from "./recipe.ts";
import { chooseUsable } from "./usable-questions.ts";

type SimulatedRecipe = Extract<Recipe["population"], { kind: "simulated" }>;
type RecordedRecipe = Extract<Recipe["population"], { kind: "recorded" }>;

/** Opens what a recipe's `population` names. */
export async function openPopulation(recipe: Recipe, options: WorldOptions = {}): Promise<OpenPopulation> {
  const { population } = recipe;
  if (population.kind === "simulated") return openSimulated(population);
  if (population.kind === "llm") return openLanguageModels(population, recipe, isAttacked(recipe), options);
  return openRecorded(population, isAttacked(recipe));
}

const isAttacked = ({ attack, evaluate }: Recipe): boolean =>
  [...attack.adversaries, ...evaluate.adversaries].some((k) => k > 0);

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
  const { usable, warnings } = chooseUsable(all, population, isAttacked, path);
  return { population, questions: usable, benchmark: "bank", warnings: [...bank.warnings, ...warnings] };
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
