import { join } from "node:path";
import type { Recipe } from "../assemble/index.ts";
import { rehearseTraining } from "../train/index.ts";
import { openForEstimate, type RehearsedRun, rehearsedEpisodes, showEstimate } from "./estimate.ts";
import type { LiveSettings } from "./live.ts";
import type { Output } from "./output.ts";
import { episodesOf } from "./train-world.ts";

/** Says what training a deliberation may cost. @param run its folder, where a pilot's calls are written @returns the exit code */
export function estimateTraining(recipe: Recipe, run: string, settings: LiveSettings, output: Output): Promise<number> {
  const { concurrency = 16 } = settings;
  const rehearsed: RehearsedRun = {
    recipe,
    open: (live) => openForEstimate(recipe, live),
    parts: (world, policy) => rehearseTraining({ ...episodesOf(world), concurrency }, policy, rehearsedEpisodes),
  };
  return showEstimate(rehearsed, settings, join(run, "calls.jsonl"), output);
}
