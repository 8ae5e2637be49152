import { ColloquyError, suggest } from "../../base/errors.ts";
import type { Observation } from "../../contracts/policy.ts";
import { teamFacts, type WorkplaceFeatureName, workplaceFeatureNames, workplaceFeatures } from "./features.ts";
import type { WorkState } from "./state.ts";

/** What the policy sees before a decision: named features of every agent, and no words. */
export function observe(state: WorkState, tailS: ArrayLike<number>, round: number): Observation {
  const { agents } = state;
  const { features } = state.settings;
  const team = teamFacts(state, tailS);
  const scalarsNS = new Float32Array(agents * features.length);
  features.forEach((name, f) => {
    const feature = workplaceFeatures[name as WorkplaceFeatureName];
    for (let i = 0; i < agents; i++) scalarsNS[i * features.length + f] = feature(state, i, team);
  });
  return {
    agents,
    round,
    head: "communicate",
    scalarsNS,
    embeddingsN: new Array<null>(agents).fill(null),
    eligibleN: new Uint8Array(agents).fill(1),
    forcedN: new Uint8Array(agents),
  };
}

/** @throws ColloquyError `environment/feature` for a name that the workplace does not have */
export function checkFeatures(names: readonly string[]): void {
  const unknown = names.find((name) => !Object.hasOwn(workplaceFeatures, name));
  if (unknown === undefined) return;
  throw new ColloquyError("environment/feature", `the workplace has no feature "${unknown}"`, {
    hint: suggest(unknown, workplaceFeatureNames),
  });
}
