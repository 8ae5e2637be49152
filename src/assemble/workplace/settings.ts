import { manifestSchema, type PolicyManifest } from "../../checkpoint/manifest.ts";
import type { WorkplaceRecipe } from "./recipe.ts";
import type { WorkplaceWorld } from "./world.ts";

/** Training settings of a workplace, as the trainer takes them: nobody gives answers there, and nobody is embedded. */
export const workplaceTrainSettings = ({ train, network, attack }: WorkplaceRecipe) => ({
  ...train,
  warmStartSteps: 0,
  decisionLoss: 0,
  reward: "right" as const,
  reinforce: 1,
  order: network.rank === "decide",
  embeddingRate: 1,
  minimumQuestionShare: 0,
  dropout: 0,
  validation: { ...train.validation, score: "accuracy" as const },
  attack,
});

/** Floor on participants: a team may keep to its work as a whole. */
export const workplaceMinimum = 0;

/** The `config.json` of a policy trained in this world. @param calls of language models it was trained with */
export const workplaceManifest = (
  { recipe, network }: Pick<WorkplaceWorld, "recipe" | "network">,
  step: number,
  calls: number,
): PolicyManifest => ({
  schema: manifestSchema,
  name: recipe.name,
  environment: recipe.world,
  network,
  embedder: null,
  decision: { topology: "credit", budget: recipe.topology, minimum: workplaceMinimum, cut: 0.5 },
  training: { step, seed: recipe.seed, calls },
  recipe: recipe as unknown as Record<string, unknown>,
});
