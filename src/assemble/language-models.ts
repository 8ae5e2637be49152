import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { narrated } from "../agents/index.ts";
import { kindOf } from "../contracts/task.ts";
import { languagePopulation } from "../populations/llm.ts";
import { createCodeGrader } from "../tasks/code/grade-code.ts";
import { codeWarning } from "../tasks/code/run-python.ts";
import { openTask } from "../tasks/open-task.ts";
import type { OpenPopulation, WorldOptions } from "./open-population.ts";
import { needLive, openLiveTeam } from "./parts/live.ts";
import type { Recipe } from "./recipe.ts";
import { chooseUsable } from "./usable-questions.ts";

/**
 * Opens a team of live language models with the questions it is asked.
 * @throws ColloquyError `task/…`, `llm/…`, `agents/…`; `code/not-allowed` where answers are programs and nobody allowed to run them
 */
export async function openLanguageModels(
  settings: Extract<Recipe["population"], { kind: "llm" }>,
  recipe: Recipe,
  isAttacked: boolean,
  options: WorldOptions,
): Promise<OpenPopulation> {
  const live = needLive(options.live);
  const task =
    options.questions === undefined
      ? await openTask({ ...recipe.task!, file: findTaskFile(recipe.task!.file) })
      : { name: "questions", version: "questions", questions: options.questions, warnings: [] };
  const isCode = options.grades !== false && task.questions.some((question) => kindOf(question) === "code");
  // Whoever rehearses a run runs no programs, and must hear of the flag all the same.
  if (isCode && live.allowCode) live.onNotice(codeWarning);
  const grade = isCode ? createCodeGrader({ allowed: (live.allowCode ?? false) as true }) : undefined;
  const team = openLiveTeam(settings.models, recipe.calls, live);
  const { kind: _kind, ...manner } = settings;
  const population = languagePopulation({
    ...manner,
    models: team.models,
    task: recipe.task?.name ?? task.name,
    onWarning: live.onNotice,
  });
  const { usable, warnings } =
    options.questions === undefined
      ? chooseUsable(task.questions, population, isAttacked, recipe.task!.file)
      : { usable: task.questions, warnings: [] };
  return {
    population: options.onUtterance === undefined ? population : narrated(population, options.onUtterance),
    questions: usable,
    benchmark: task.version,
    grade: live.rehearsal === undefined || grade === undefined ? grade : () => false,
    live: team,
    warnings: [...task.warnings, ...warnings],
  };
}

const packageRoot = resolve(import.meta.dirname, "..", "..");

/** Relative paths start at the current folder; what comes with the package is found by the same name. */
export function findTaskFile(path: string): string {
  const shipped = join(packageRoot, path);
  return !existsSync(path) && existsSync(shipped) ? shipped : path;
}
