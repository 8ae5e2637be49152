import { type StrategyName, strategies } from "../environments/index.ts";
import { type Rival, rivals } from "../rivals/index.ts";
import { type Ablation, type AblationName, ablations } from "./ablations.ts";
import { checkRecipe } from "./check-recipe.ts";
import type { Recipe } from "./recipe.ts";
import type { World } from "./world.ts";

/*
 * Contenders: the methods of an evaluation that are trained themselves, for as many agent calls as the run's own policy.
 * Rivals are other learners, ablations the same learner with one thing changed.
 */

/** Name of a method that `evaluate` can compare. */
export type MethodName = StrategyName | AblationName;

export const isAblation = (name: MethodName): name is AblationName => Object.hasOwn(ablations, name);

export const isRival = (name: string): boolean =>
  Object.hasOwn(strategies, name) && strategies[name as StrategyName].policy === "rival";

export const isContender = (name: MethodName): boolean => isAblation(name) || isRival(name);

/** The learner behind a rival method. */
export const rivalOf = (name: MethodName): Rival => rivals[name as keyof typeof rivals];

/** A recipe with what an ablation changes. */
export function ablatedRecipe(recipe: Recipe, name: AblationName): Recipe {
  const { changes, without = [] }: Ablation = ablations[name];
  const changed = Object.entries(changes).map(([section, keys]) => [
    section,
    { ...(recipe[section as keyof Recipe] as object), ...keys },
  ]);
  const { behaviour, ...rest } = { ...recipe, ...Object.fromEntries(changed) };
  const features = behaviour.features.filter((feature: string) => !without.includes(feature));
  return checkRecipe({ ...rest, behaviour: { ...behaviour, features } }, `the recipe of ${name}`);
}

/** The world an ablation is trained and judged in. */
export const worldOf = (world: World, name: AblationName): World => world.under(ablatedRecipe(world.recipe, name));
