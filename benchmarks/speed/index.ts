import { decision } from "./decision.ts";
import { episodes } from "./episodes.ts";
import { graph } from "./graph.ts";
import { live } from "./live.ts";
import type { Benchmark } from "./measure.ts";
import { trainingStep } from "./training-step.ts";
import { workplace } from "./workplace.ts";

/** The speed benchmarks by name. */
export const benchmarks = {
  graph,
  decision,
  "training-step": trainingStep,
  episodes,
  workplace,
  live,
} satisfies Record<string, Benchmark>;
