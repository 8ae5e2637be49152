import {
  untrainedWorkplaceWeights,
  type WorkplaceWorld,
  workplaceManifest,
  workplaceMinimum,
  workplaceTrainSettings,
} from "../../assemble/index.ts";
import { workplaceReading } from "../../train/index.ts";
import { describeWorkplacePolicy } from "./card.ts";

/** What decides which episodes a run plays. */
export const workplaceEpisodes = (world: WorkplaceWorld) => ({
  settings: workplaceTrainSettings(world.recipe),
  seed: world.recipe.seed,
  network: world.network,
  initial: untrainedWorkplaceWeights(world),
  environment: world.environment(),
  questions: world.projects,
  reading: workplaceReading,
  minimum: workplaceMinimum,
});

/** What the trainer has to be told of a workplace. */
export const workplaceTraining = (world: WorkplaceWorld) => ({
  ...workplaceEpisodes(world),
  manifest: (step: number, calls: number) => workplaceManifest(world, step, calls),
  card: (score: Parameters<typeof describeWorkplacePolicy>[1]) => describeWorkplacePolicy(world.recipe, score),
  facts: world.live === null ? {} : { endpoints: world.live.endpoints },
});
