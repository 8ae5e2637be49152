import {
  checkRecipe,
  defaultRunFolder,
  openBackend,
  openWorld,
  policyManifest,
  type RecipeInput,
  trainedPart,
  trainSettings,
  untrainedWeights,
  type World,
} from "../assemble/index.ts";
import type { Clock } from "../base/clock.ts";
import { systemClock } from "../base/clock.ts";
import { type TrainProgress, type TrainResult, train } from "../train/index.ts";
import { describePolicy } from "./card.ts";
import { describeProvenance } from "./provenance.ts";

export interface TrainingOptions {
  /** The run folder; default `runs/<recipe>-s<seed>-<hash>`. */
  readonly out?: string;
  readonly fresh?: boolean;
  readonly concurrency?: number;
  readonly clock?: Clock;
  readonly signal?: AbortSignal;
  onProgress?(progress: TrainProgress): void;
  onWarning?(warning: string): void;
}

/**
 * Trains a recipe in its run folder, from the start or from where it was left.
 * @throws ColloquyError see `train` and `openWorld`
 */
export async function runTraining(recipe: RecipeInput, options: TrainingOptions = {}): Promise<TrainResult> {
  // A checked recipe stays as it is; one written in a program is checked and completed here.
  const world = await openWorld(checkRecipe(recipe, "the recipe to train"));
  for (const warning of world.warnings) options.onWarning?.(warning);
  return trainWorld(world, options);
}

async function trainWorld(world: World, options: TrainingOptions): Promise<TrainResult> {
  const { recipe } = world;
  const backend = await openBackend(recipe.backend);
  return train({
    settings: trainSettings(recipe),
    seed: recipe.seed,
    network: world.network,
    initial: untrainedWeights(world),
    environment: world.environment(),
    firstRound: world.environment({ summary: "", policy: "network", topology: "none", rounds: 1 }),
    questions: world.split,
    backend,
    folder: options.out ?? defaultRunFolder(recipe),
    recipe: trainedPart(recipe),
    provenance: {
      ...describeProvenance(),
      questions: world.split.hashes,
      backend: backend.name,
      backendsTried: backend.tried,
    },
    manifest: (step) => policyManifest(world, step),
    card: (score) => describePolicy(recipe, score),
    fresh: options.fresh ?? false,
    concurrency: options.concurrency ?? 16,
    clock: options.clock ?? systemClock,
    signal: options.signal,
    onProgress: options.onProgress,
  });
}
