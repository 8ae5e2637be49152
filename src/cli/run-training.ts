import { join } from "node:path";
import { type AnyRecipeInput, checkAnyRecipe, defaultRunFolder, isLive } from "../assemble/index.ts";
import type { TrainResult } from "../train/index.ts";
import { liveOptions } from "./live.ts";
import type { TrainingOptions } from "./train-in-folder.ts";
import { worldOf } from "./worlds.ts";

export type { TrainingOptions } from "./train-in-folder.ts";

/**
 * Trains a recipe of any world in its run folder, from the start or from where it was left.
 * @throws ColloquyError see `train`, `openWorld` and `openWorkplace`; one whose `endsRun` is set where live models can be
 * asked no more: what is done is saved
 */
export async function runTraining(recipe: AnyRecipeInput, options: TrainingOptions = {}): Promise<TrainResult> {
  // A checked recipe stays as it is; one written in a program is checked and completed here.
  const checked = checkAnyRecipe(recipe, "the recipe to train");
  const folder = options.out ?? defaultRunFolder(checked);
  const live = isLive(checked) ? liveOptions(options, join(folder, "calls.jsonl")) : undefined;
  const world = await worldOf(checked).openTraining(checked, live);
  for (const warning of world.warnings) options.onWarning?.(warning);
  if (world.live !== null) options.onCalls?.(world.live.account.ledger.totals);
  try {
    return await world.train(folder, options);
  } finally {
    world.live?.account.close();
  }
}
