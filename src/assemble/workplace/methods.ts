import { ColloquyError } from "../../base/errors.ts";
import type { Policy, Weights } from "../../contracts/policy.ts";
import {
  everyone,
  type WorkplaceStrategy,
  type WorkplaceStrategyName,
  workplaceStrategies,
} from "../../environments/index.ts";
import { createForward } from "../../runtime/forward.ts";
import { networkPolicy } from "../../runtime/network-policy.ts";
import { workplaceMinimum } from "./settings.ts";
import { untrainedWorkplaceWeights, type WorkplaceWorld } from "./world.ts";

/** A strategy with the policy that decides under it. */
export interface WorkplaceMethod {
  readonly name: WorkplaceStrategyName;
  readonly strategy: WorkplaceStrategy;
  readonly policy: Policy;
}

/** Whether a method decides by weights that were trained. */
export const isTrainedMethod = (name: WorkplaceStrategyName): boolean => workplaceStrategies[name].policy === "network";

/**
 * The methods by name, ready to be played on the same projects.
 * @param learned the trained weights; `null` where there are none
 * @throws ColloquyError `checkpoint/missing` for a trained method without them
 */
export const openWorkplaceMethods = (
  world: WorkplaceWorld,
  names: readonly WorkplaceStrategyName[],
  learned: Weights | null,
): WorkplaceMethod[] =>
  names.map((name) => {
    const strategy: WorkplaceStrategy = workplaceStrategies[name];
    if (strategy.policy === "none") return { name, strategy, policy: everyone };
    const weights = strategy.policy === "network" ? learned : untrainedWorkplaceWeights(world);
    if (weights === null) {
      throw new ColloquyError("checkpoint/missing", `"${name}" is a trained policy, and nothing has been trained yet`, {
        hint: "Train the recipe first, or name other methods with --methods.",
      });
    }
    const { participation } = world.recipe.evaluate;
    const policy = networkPolicy(name, createForward(world.network, weights), participation, workplaceMinimum);
    return { name, strategy, policy };
  });
