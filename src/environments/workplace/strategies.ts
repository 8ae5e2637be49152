import type { WorkplaceSettings } from "./settings.ts";

/** How a team decides when to talk. */
export interface WorkplaceStrategy {
  readonly summary: string;
  readonly gate: WorkplaceSettings["gate"];
  readonly manner: WorkplaceSettings["manner"];
  /** Whether everybody answers at once. */
  readonly prompt: boolean;
  /** Whether decisions are the trained policy's, an untrained one's, or nobody's. */
  readonly policy: "network" | "initial" | "none";
}

/** What `evaluate` compares in the workplace. */
export const workplaceStrategies = {
  learned: {
    summary: "the trained policy says who keeps to its work and who may ask whom",
    gate: "policy",
    manner: "weigh",
    prompt: false,
    policy: "network",
  },
  untrained: { summary: "the same before training", gate: "policy", manner: "weigh", prompt: false, policy: "initial" },
  c2c: {
    summary: "everybody weighs for itself when to talk to whom (C2C)",
    gate: "open",
    manner: "weigh",
    prompt: false,
    policy: "none",
  },
  "c2c-prompt": {
    summary: "the same, and everybody answers at once: what being at hand is worth without a policy",
    gate: "open",
    manner: "weigh",
    prompt: true,
    policy: "none",
  },
  unconstrained: {
    summary: "everybody talks whenever it likes",
    gate: "open",
    manner: "freely",
    prompt: false,
    policy: "none",
  },
  "fixed-steps": {
    summary: "everybody reports every 16 steps (C2C's baseline)",
    gate: "scheduled",
    manner: "report",
    prompt: false,
    policy: "none",
  },
  "no-communication": {
    summary: "nobody talks (C2C's baseline)",
    gate: "closed",
    manner: "weigh",
    prompt: false,
    policy: "none",
  },
} as const satisfies Record<string, WorkplaceStrategy>;

export type WorkplaceStrategyName = keyof typeof workplaceStrategies;
