import { shortHash } from "../base/hash.ts";
import { canonicalJson } from "../base/json.ts";
import { manifestSchema, type PolicyManifest } from "../checkpoint/manifest.ts";
import { questionKey } from "../tasks/choice.ts";
import type { Recipe } from "./recipe.ts";
import type { World } from "./world.ts";
import type { AnyRecipe } from "./worlds.ts";

/** Training settings of a recipe, as the trainer takes them. */
export const trainSettings = ({ train, attack }: Recipe) => ({ ...train, order: false, attack });

/** What decides a training run: the recipe without the way its policy is judged and the way calls are made. */
export const trainedPart = <R extends AnyRecipe>({
  evaluate: _judged,
  calls: _made,
  ...trained
}: R): Omit<R, "evaluate" | "calls"> => trained;

/** `<recipe>-s<seed>-<hash>`: recipes that train the same share a run folder, different ones never do. */
export const runName = (recipe: AnyRecipe): string =>
  `${recipe.name}-s${recipe.seed}-${shortHash(canonicalJson(trainedPart(recipe)))}`;

/** The `config.json` of a policy trained in this world. @param calls agent calls it was trained with */
export function policyManifest(
  { recipe, network, population, embedder, split }: World,
  step: number,
  calls: number,
): PolicyManifest {
  const { rule, ...budget } = recipe.topology;
  return {
    schema: manifestSchema,
    name: recipe.name,
    environment: recipe.world,
    network,
    embedder:
      network.embedding === 0
        ? null
        : population.embeddingDimension === undefined
          ? embedder!.name
          : `given-${network.embedding}`,
    decision: {
      topology: rule,
      budget,
      minimum: 1,
      cut: 0.5,
      voters: recipe.vote.voters,
      vote: recipe.vote.rule,
    },
    training: { step, seed: recipe.seed, calls },
    recipe: recipe as unknown as Record<string, unknown>,
    questions: [...split.train, ...split.validation].map(questionKey),
  };
}
