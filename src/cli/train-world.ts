import { policyManifest, trainSettings, untrainedWeights, type World } from "../assemble/index.ts";
import { deliberationReading, type TrainResult } from "../train/index.ts";
import { describePolicy } from "./card.ts";
import { type TrainingOptions, trainInFolder } from "./train-in-folder.ts";

/** Trains a world of the deliberation that is open already; it stays open. */
export const trainWorld = (world: World, folder: string, options: TrainingOptions): Promise<TrainResult> =>
  trainInFolder(deliberationTraining(world), folder, world.recipe, options);

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

/** What the trainer has to be told of a deliberation. */
export const deliberationTraining = (world: World) => ({
  ...episodesOf(world),
  reading: deliberationReading,
  manifest: (step: number, calls: number) => policyManifest(world, step, calls),
  card: (score: Parameters<typeof describePolicy>[1]) => describePolicy(world.recipe, score),
  facts: {
    benchmark: world.benchmark,
    questions: world.split.hashes,
    ...(world.live === null ? {} : { endpoints: world.live.endpoints }),
  },
});
