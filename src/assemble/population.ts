import { ColloquyError } from "../base/errors.ts";
import type { Population } from "../contracts/population.ts";
import type { Question } from "../contracts/task.ts";
import { type Bank, bankQuestions, fitLaw, readBank, recordedPopulation } from "../populations/index.ts";
import { defaultSimulation } from "../populations/simulated/settings.ts";
import { simulatedPopulation } from "../populations/simulated.ts";
import { families, syntheticQuestions } from "../tasks/synthetic.ts";
import type { Recipe } from "./recipe.ts";

/** A population with the questions it can answer. */
export interface OpenPopulation {
  readonly population: Population;
  readonly questions: readonly Question[];
  readonly warnings: readonly string[];
}

type SimulatedRecipe = Extract<Recipe["population"], { kind: "simulated" }>;
type RecordedRecipe = Extract<Recipe["population"], { kind: "recorded" }>;

/** Opens what a recipe's `population` names. */
export function openPopulation({ population, attack, evaluate }: Recipe): OpenPopulation {
  if (population.kind === "simulated") return openSimulated(population);
  const isAttacked = [...attack.adversaries, ...evaluate.adversaries].some((k) => k > 0);
  return openRecorded(population, isAttacked);
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
  return { population, questions, warnings: [] };
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
  return { population, questions: usable, warnings };
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
