import { benchmarks } from "./benchmarks/index.ts";
import { syntheticQuestions } from "./synthetic.ts";

export type { Benchmark, TaskCard } from "./benchmarks/index.ts";

/** Every benchmark by name: generated questions, and files that `openTask` reads. */
export const tasks = {
  synthetic: {
    summary: "generated questions for simulated teams, of two families",
    kind: "choice",
    version: "synthetic@1",
    questions: syntheticQuestions,
  },
  ...benchmarks,
} as const;
