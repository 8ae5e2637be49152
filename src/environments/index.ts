import { createDeliberation } from "./deliberation/environment.ts";
import { createWorkplace } from "./workplace/environment.ts";

/** The worlds, by versioned name. */
export const environments = {
  "deliberation-v1": {
    summary:
      "N agents answer one question over T rounds, some turn adversarial, a credit-weighted vote decides (TodyComm)",
    create: createDeliberation,
  },
  "workplace-v1": {
    summary: "a manager and W workers finish tasks on a clock of 15 minutes, where talking costs time (C2C)",
    create: createWorkplace,
  },
} as const;

export { checkEnvironment } from "./check-environment.ts";
export { createDeliberation } from "./deliberation/environment.ts";
export type { DeliberationSettings } from "./deliberation/settings.ts";
export {
  everyone,
  loner,
  type Strategy,
  type StrategyName,
  strategies,
  strategyFeatures,
} from "./deliberation/strategies.ts";
export { replayEpisode } from "./replay-episode.ts";
export { type DecisionListener, runEpisode } from "./run-episode.ts";
export { type Costs, defaultCosts } from "./workplace/costs.ts";
export { createWorkplace, type Workplace } from "./workplace/environment.ts";
export { workplaceFeatureNames } from "./workplace/features.ts";
export { judgeByOverlap } from "./workplace/judge.ts";
export {
  type DecompositionName,
  decompositions,
  makePlan,
} from "./workplace/planning/decompositions.ts";
export { drawProjects, type ProjectDraw } from "./workplace/planning/draw-projects.ts";
export { defaultTiers, type TierSettings } from "./workplace/planning/tiers.ts";
export { stepLimit, type WorkplaceSettings } from "./workplace/settings.ts";
export {
  type WorkplaceStrategy,
  type WorkplaceStrategyName,
  workplaceStrategies,
} from "./workplace/strategies.ts";
export { withDecisionLimit } from "./wrappers.ts";
