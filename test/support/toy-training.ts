import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkRecipe, trainSettings } from "../../src/assemble/index.ts";
import { createRng } from "../../src/base/rng.ts";
import { manifestSchema } from "../../src/checkpoint/manifest.ts";
import type { Environment } from "../../src/contracts/environment.ts";
import type { NetworkConfig, Weights } from "../../src/contracts/policy.ts";
import type { Question } from "../../src/contracts/task.ts";
import { type Backend, networks } from "../../src/nets/index.ts";
import { initialWeights } from "../../src/nets/initial-weights.ts";
import { deliberationReading } from "../../src/train/deliberation-reading.ts";
import type { StepReport, TrainInput } from "../../src/train/input.ts";
import type { RunLogs } from "../../src/train/run-folder.ts";
import type { TrainSettings } from "../../src/train/settings.ts";
import { beginTraining } from "../../src/train/state.ts";
import { trainStep } from "../../src/train/step.ts";

/** REINFORCE with leave-one-out and nothing else, on a world where nobody attacks. */
export const toySettings: TrainSettings = {
  ...trainSettings(checkRecipe({ name: "toy", population: { kind: "simulated" } }, "the test")),
  steps: 100,
  starts: 8,
  decisionLoss: 0,
  learningRate: 0.01,
  dropout: 0,
  attack: { kind: "collude", adversaries: [0], onsets: ["first"] },
};

/** A small network that fits a world without embeddings. */
export const toyNetwork = ({ spec }: Environment): NetworkConfig => ({
  kind: "credit-gru",
  embedding: 0,
  projection: 0,
  scalars: spec.scalars,
  hidden: 4,
  heads: "two",
  clamp: 6,
});

export type ToySettings = Partial<TrainSettings> & { readonly seed?: number };

/** What `train` needs for a toy world; it makes no folder by itself. */
export function toyTraining(
  backend: Backend,
  environment: Environment,
  questions: readonly Question[],
  { seed = 1, ...settings }: ToySettings = {},
): TrainInput {
  const network = toyNetwork(environment);
  return {
    settings: { ...toySettings, ...settings },
    seed,
    network,
    initial: initialWeights(network, createRng(seed).fork("weights")),
    environment,
    reading: deliberationReading,
    questions: { train: questions, validation: [] },
    backend,
    folder: join(tmpdir(), "colloquy-toy"),
    recipe: { toy: environment.spec.name },
    provenance: {},
    manifest: (step) => ({
      schema: manifestSchema,
      name: "toy",
      environment: environment.spec.name,
      network,
      embedder: null,
      decision: { topology: "none", budget: { in: null, out: null, depth: null }, minimum: 1, cut: 0.5, voters: "all" },
      training: { step, seed },
    }),
    card: () => ({ summary: "A toy." }),
    fresh: false,
    concurrency: 8,
    clock: { now: () => 0, elapsedMs: () => 0 },
  };
}

/** The steps of `train` alone, in memory: no folder, no checkpoints, no validation. */
export async function learnInMemory(
  input: TrainInput,
): Promise<{ readonly weights: Weights; readonly reports: readonly StepReport[] }> {
  const { initial, settings } = input;
  let state = beginTraining(initial);
  const network = networks["credit-gru"].fromWeights(input.backend.tf, input.network, initial);
  const reports: StepReport[] = [];
  for (let step = 0; step < settings.steps; step++) {
    const { next, report } = await trainStep(state, network, input, silentLogs);
    state = next;
    reports.push(report);
  }
  networks["credit-gru"].dispose(network);
  return { weights: state.raw, reports };
}

const silence = { append: () => {}, size: () => 0, close: () => {} };
const silentLogs: RunLogs = { metrics: silence, episodes: silence, timing: silence };
