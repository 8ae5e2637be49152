import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findTrained, loadRecipe, playMethods, train } from "colloquy";
import { type PlanName, plans } from "./plans.ts";
import { readPlays, type SavedPlays, savePlays } from "./saved-plays.ts";

/** One split of a study. */
export interface SplitTask {
  readonly plan: PlanName;
  readonly seed: number;
  /** Folder of the study. */
  readonly out: string;
  /** Changes to the recipe from the command line. */
  readonly set: readonly string[];
}

const pathOf = ({ out, seed }: SplitTask): string => join(out, "plays", `split-${seed}.jsonl.gz`);

/** What decides the split's plays. */
async function recipeOf({ plan, seed, set }: SplitTask) {
  const { recipe, methods, set: own } = plans[plan];
  const changes = [`seed=${seed}`, `split.seed=${seed}`, `evaluate.seeds=[${seed}]`];
  return loadRecipe(recipe, [...own, `evaluate.methods=${JSON.stringify(methods)}`, ...set, ...changes]);
}

/** What the split has played, if it has. */
export const playedSplit = async (task: SplitTask): Promise<SavedPlays | undefined> =>
  readPlays(pathOf(task), JSON.stringify(await recipeOf(task)));

/** Trains a split's policy (or goes on with it), and its contenders, plays all methods on its test questions, and saves that. */
export async function playSplit(task: SplitTask, note: (text: string) => void): Promise<void> {
  const recipe = await recipeOf(task);
  const run = join(task.out, "runs", `split-${task.seed}`);
  const trained = await train(recipe, { out: run });
  const { steps, calls, validation } = trained;
  note(`split ${task.seed}: ${steps} updates, ${calls} calls, validation ${validation?.accuracy.toFixed(3)}`);
  const evaluate = Object.entries(recipe.evaluate).map(([key, value]) => `evaluate.${key}=${JSON.stringify(value)}`);
  const found = await findTrained(trained.checkpoint, evaluate);
  const told = new Set<string>();
  const { sweep, splits, credits, judged } = await playMethods(found, {
    onTraining: (method) => {
      if (!told.has(method)) note(`split ${task.seed}: training ${method}`);
      told.add(method);
    },
    onProgress: ({ cell: { adversaries, onset } }) => {
      const cell = `${adversaries} adversaries${adversaries === 0 ? "" : `, onset ${onset}`}`;
      if (!told.has(cell)) note(`split ${task.seed}: judging, ${cell}`);
      told.add(cell);
    },
  });
  writeFileSync(join(run, "episodes-judged.jsonl"), judged);
  mkdirSync(join(task.out, "plays"), { recursive: true });
  savePlays(pathOf(task), { key: JSON.stringify(recipe), sweep, test: splits.test, credits });
}
