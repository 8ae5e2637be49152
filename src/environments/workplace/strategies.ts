import type { WorkplaceSettings } from "./settings.ts";

/** How a team decides when to talk. */
export interface WorkplaceStrategy {
  readonly summary: string;
  readonly gate: WorkplaceSettings["gate"];
  readonly manner: WorkplaceSettings["manner"];
  /** Whether decisions are the trained policy's, an untrained one's, or nobody's. */
  readonly policy: "network" | "initial" | "none";
}

/** What `evaluate` compares in the workplace. */
export const workplaceStrategies = {
  learned: {
    summary: "the trained policy says who keeps to its work and who may ask whom",
    gate: "policy",
    manner: "weigh",
    policy: "network",
  },
  untrained: { summary: "the same before training", gate: "policy", manner: "weigh", policy: "initial" },
  c2c: {
    summary: "everybody weighs for itself when to talk to whom (C2C)",
    gate: "open",
    manner: "weigh",
    policy: "none",
  },
  unconstrained: { summary: "everybody talks whenever it likes", gate: "open", manner: "freely", policy: "none" },
  "fixed-steps": {
    summary: "everybody reports every 16 steps (C2C's baseline)",
    gate: "scheduled",
    manner: "report",
    policy: "none",
  },
  "no-communication": { summary: "nobody talks (C2C's baseline)", gate: "closed", manner: "weigh", policy: "none" },
} as const satisfies Record<string, WorkplaceStrategy>;

export type WorkplaceStrategyName = keyof typeof workplaceStrategies;
