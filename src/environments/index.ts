import { createDeliberation } from "./deliberation/environment.ts";

/** The worlds, by versioned name. */
export const environments = {
  "deliberation-v1": {
    summary:
      "N agents answer one question over T rounds, some turn adversarial, a credit-weighted vote decides (TodyComm)",
    create: createDeliberation,
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
export { withDecisionLimit } from "./wrappers.ts";
