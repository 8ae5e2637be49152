import { join } from "node:path";
import {
  checkRecipe,
  defaultRunFolder,
  openBackend,
  openWorld,
  policyManifest,
  type Recipe,
  type RecipeInput,
  trainedPart,
  trainSettings,
  untrainedWeights,
  type World,
} from "../assemble/index.ts";
import type { Clock } from "../base/clock.ts";
import { systemClock } from "../base/clock.ts";
import { describeError } from "../base/errors.ts";
import { keepEvents } from "../loggers/index.ts";
import { deliberationReading, type TrainInput, type TrainProgress, type TrainResult, train } from "../train/index.ts";
import { describePolicy } from "./card.ts";
import { isLive, type LiveSettings, liveOptions } from "./live.ts";
import { describeProvenance } from "./provenance.ts";

export interface TrainingOptions extends LiveSettings {
  /** The run folder; default `runs/<recipe>-s<seed>-<hash>`. */
  readonly out?: string;
  readonly fresh?: boolean;
  readonly clock?: Clock;
  onProgress?(progress: TrainProgress): void;
}

/**
 * Trains a recipe in its run folder, from the start or from where it was left.
 * @throws ColloquyError see `train` and `openWorld`; one whose `endsRun` is set where live models can be asked no more: what is done is saved
 */
export async function runTraining(recipe: RecipeInput, options: TrainingOptions = {}): Promise<TrainResult> {
  // A checked recipe stays as it is; one written in a program is checked and completed here.
  const checked = checkRecipe(recipe, "the recipe to train");
  const folder = options.out ?? defaultRunFolder(checked);
  const world = await openTrainingWorld(checked, folder, options);
  for (const warning of world.warnings) options.onWarning?.(warning);
  if (world.live !== null) options.onCalls?.(world.live.account.ledger.totals);
  try {
    return await trainWorld(world, folder, options);
  } finally {
    world.live?.account.close();
  }
}

/** Trains a world that is open already; it stays open. */
export async function trainWorld(world: World, folder: string, options: TrainingOptions): Promise<TrainResult> {
  const events = keepEvents(folder, options.clock ?? systemClock, (error) =>
    options.onWarning?.(`TensorBoard's event file stops here: ${describeError(error)}`),
  );
  try {
    const onProgress = (report: TrainProgress): void => {
      events.catchUp();
      options.onProgress?.(report);
    };
    const result = await train(await trainingInput(world, folder, { ...options, onProgress }));
    // A run that was complete already made no progress.
    events.catchUp();
    return result;
  } finally {
    events.close();
  }
}

const openTrainingWorld = (recipe: Recipe, folder: string, options: TrainingOptions): Promise<World> =>
  openWorld(recipe, isLive(recipe) ? { live: liveOptions(options, join(folder, "calls.jsonl")) } : {});

/** What decides which episodes a run plays. */
export const episodesOf = (world: World) => ({
  settings: trainSettings(world.recipe),
  seed: world.recipe.seed,
  network: world.network,
  initial: untrainedWeights(world),
  environment: world.environment(),
  firstRound: world.environment({ summary: "", policy: "network", topology: "none", rounds: 1 }),
  questions: world.split,
});

async function trainingInput(world: World, folder: string, options: TrainingOptions): Promise<TrainInput> {
  const { recipe } = world;
  const backend = await openBackend(recipe.backend);
  return {
    ...episodesOf(world),
    reading: deliberationReading,
    backend,
    folder,
    recipe: trainedPart(recipe),
    provenance: {
      ...describeProvenance(),
      benchmark: world.benchmark,
      questions: world.split.hashes,
      ...(world.live === null ? {} : { endpoints: world.live.endpoints }),
      backend: backend.name,
      backendsTried: backend.tried,
    },
    manifest: (step, calls) => policyManifest(world, step, calls),
    card: (score) => describePolicy(recipe, score),
    fresh: options.fresh ?? false,
    concurrency: options.concurrency ?? 16,
    clock: options.clock ?? systemClock,
    signal: options.signal,
    onProgress: options.onProgress,
  };
}
