import { planAttack } from "../../src/attacks/index.ts";
import { createRng } from "../../src/base/rng.ts";
import { cached, defaultFeatures, hashingEmbedder } from "../../src/behaviour/index.ts";
import type { Embedder } from "../../src/contracts/embedder.ts";
import type { EpisodeStart } from "../../src/contracts/environment.ts";
import type { NetworkConfig, Weights } from "../../src/contracts/policy.ts";
import type { Population } from "../../src/contracts/population.ts";
import type { Question } from "../../src/contracts/task.ts";
import type { DeliberationSettings } from "../../src/environments/index.ts";
import { initialWeights } from "../../src/nets/initial-weights.ts";
import {
  bankQuestions,
  fitLaw,
  readBank,
  recordedPopulation,
  simulatedPopulation,
} from "../../src/populations/index.ts";
import { createForward, type ForwardPass } from "../../src/runtime/forward.ts";
import { syntheticQuestions } from "../../src/tasks/synthetic.ts";
import { topologies } from "../../src/topology/index.ts";
import { tinyBank } from "./tiny-bank.ts";

/** A world of six agents and three rounds, under attack by none to four of them, with a fresh network that fits it. */
export interface SpeedWorld {
  readonly settings: DeliberationSettings;
  readonly network: NetworkConfig;
  readonly weights: Weights;
  readonly forward: ForwardPass;
  /** Different episodes, the same at every call. */
  starts(count: number): EpisodeStart[];
}

/** Both families of simulated questions by turns; dense embeddings of 32 dimensions. */
export function simulatedWorld(): SpeedWorld {
  const questions = syntheticQuestions({ seed: 1, count: 200, family: "mixture" });
  return createWorld(simulatedPopulation(), questions, null);
}

/** Utterances of a bank, by default a made-up one; hashed embeddings of 2,048 dimensions. */
export function recordedWorld(path: string | undefined): SpeedWorld {
  const bank = path === undefined ? tinyBank({ questions: 60, debates: 10 }) : readBank(path);
  const population = recordedPopulation({ bank, law: fitLaw(bank) });
  const questions = bankQuestions(bank).filter(
    (question) => question.gold !== null && population.targets(question).length > 0,
  );
  return createWorld(population, questions, cached(hashingEmbedder()));
}

/** `deliberation-v1` with six agents, three rounds and an in-degree budget of two. */
export function usualSettings(population: Population, embedder: Embedder | null): DeliberationSettings {
  return {
    agents: 6,
    rounds: 3,
    attackRounds: 3,
    population,
    attack: planAttack,
    topology: topologies.credit.draw,
    budget: () => ({ in: 2, out: Infinity, depth: Infinity }),
    vote: "credit",
    voters: "all",
    ballots: "last",
    memory: true,
    features: defaultFeatures,
    embedder,
    embedding: population.embeddingDimension ?? embedder?.dimension ?? 0,
  };
}

function createWorld(population: Population, questions: readonly Question[], embedder: Embedder | null): SpeedWorld {
  const embedding = population.embeddingDimension ?? embedder!.dimension;
  const network: NetworkConfig = {
    kind: "credit-gru",
    embedding,
    projection: 32,
    scalars: defaultFeatures,
    hidden: 32,
    heads: "two",
    clamp: 6,
  };
  const weights = initialWeights(network, createRng("speed"));
  return {
    settings: usualSettings(population, embedder),
    network,
    weights,
    forward: createForward(network, weights),
    starts: (count) =>
      Array.from({ length: count }, (_, k) => ({
        question: questions[k % questions.length],
        seed: 1,
        sample: k,
        attack: { kind: "collude", adversaries: k % 5, onset: k % 2 === 0 ? "first" : "uniform" },
      })),
  };
}
