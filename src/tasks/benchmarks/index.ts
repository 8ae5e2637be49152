import { aqua } from "./aqua.ts";
import { arcChallenge, arcEasy } from "./arc.ts";
import type { Benchmark } from "./benchmark.ts";
import { gsm8k } from "./gsm8k.ts";
import { humanEval } from "./humaneval.ts";
import { medQa } from "./medqa.ts";
import { mmlu } from "./mmlu.ts";
import { multiArith } from "./multiarith.ts";
import { openBookQa } from "./openbookqa.ts";
import { svamp } from "./svamp.ts";

export type { Benchmark, Draft, Form, Source, TaskCard } from "./benchmark.ts";

/** Benchmarks in files, by name. */
export const benchmarks = {
  mmlu,
  "arc-challenge": arcChallenge,
  "arc-easy": arcEasy,
  medqa: medQa,
  openbookqa: openBookQa,
  gsm8k,
  aqua,
  svamp,
  multiarith: multiArith,
  humaneval: humanEval,
} satisfies Record<string, Benchmark>;
