import { tinyBank } from "../../benchmarks/speed/tiny-bank.ts";
import { usualSettings } from "../../benchmarks/speed/worlds.ts";
import { createRng } from "../../src/base/rng.ts";
import { hashingEmbedder } from "../../src/behaviour/index.ts";
import type { Agent, Turn, Utterance } from "../../src/contracts/agent.ts";
import type { Environment, EnvironmentSpec, EpisodeStart } from "../../src/contracts/environment.ts";
import type { NetworkConfig, Policy, Weights } from "../../src/contracts/policy.ts";
import type { Population } from "../../src/contracts/population.ts";
import type { Question } from "../../src/contracts/task.ts";
import { createDeliberation, type DeliberationSettings } from "../../src/environments/index.ts";
import { initialWeights } from "../../src/nets/initial-weights.ts";
import { bankQuestions, recordedPopulation, simulatedPopulation } from "../../src/populations/index.ts";
import { publishedLaw } from "../../src/populations/response-law.ts";
import { createForward } from "../../src/runtime/forward.ts";
import { networkPolicy, type Participation } from "../../src/runtime/network-policy.ts";
import { syntheticQuestions } from "../../src/tasks/synthetic.ts";

/** A population with questions that it can answer and the embedder that its utterances need. */
export interface Source {
  readonly population: Population;
  readonly questions: readonly Question[];
  readonly embedder: DeliberationSettings["embedder"];
}

/** One small source of agents of every kind. */
export const sources = {
  simulated: (): Source => ({
    population: simulatedPopulation(),
    questions: syntheticQuestions({ seed: 1, count: 24, family: "mixture" }),
    embedder: null,
  }),
  recorded: (): Source => {
    const bank = tinyBank();
    const population = recordedPopulation({ bank, law: publishedLaw });
    const questions = bankQuestions(bank).filter((question) => population.targets(question).length > 0);
    return { population, questions, embedder: hashingEmbedder(256) };
  },
};

/** `deliberation-v1` with six agents, three rounds and an in-degree budget of two, or as `changes` say. */
export function deliberate(
  { population, embedder }: Pick<Source, "population" | "embedder">,
  changes: Partial<DeliberationSettings> = {},
): Environment {
  const attackRounds = changes.rounds ?? 3;
  return createDeliberation({ ...usualSettings(population, embedder), attackRounds, ...changes });
}

/** Agents that say what `speak` makes of their number and turn, orders or not. */
export function scripted(speak: (agent: number, turn: Turn) => Utterance | Promise<Utterance>): Population {
  return {
    name: "scripted",
    team: (_question, agents) =>
      Array.from({ length: agents }, (_, agent): Agent => ({ role: "speaker", respond: (turn) => speak(agent, turn) })),
    targets: () => ["B", "C"],
  };
}

export const says = (answer: string | null, text = "", more: Partial<Utterance> = {}): Utterance => ({
  answer,
  status: answer === null ? "unparsed" : "parsed",
  text,
  ...more,
});

export const choice: Question = {
  id: "q1",
  text: "Which of these was left in the attic?",
  options: ["a lantern", "a kettle", "a ladder", "a compass"],
  gold: "A",
};

export const startOf = (question: Question, changes: Partial<EpisodeStart> = {}): EpisodeStart => ({
  question,
  seed: 3,
  sample: 0,
  attack: { kind: "collude", adversaries: 2, onset: "uniform" },
  ...changes,
});

/** The architecture that fits a world. */
export const networkFor = (
  { scalars, embedding }: EnvironmentSpec,
  heads: NetworkConfig["heads"] = "two",
): NetworkConfig => ({ kind: "credit-gru", embedding, projection: 8, scalars, hidden: 12, heads, clamp: 6 });

/** Weights large enough for credits of both signs. */
export function strongWeights(config: NetworkConfig, seed = 1): Weights {
  const fresh = initialWeights(config, createRng(seed).fork("weights"));
  return Object.fromEntries(
    Object.entries(fresh).map(([name, { shape, data }]) => [
      name,
      // Fresh heads start at a positive bias, which would let everyone in.
      { shape, data: name.endsWith(".bias") ? data.map(() => 0) : data.map((w) => 5 * w) },
    ]),
  );
}

/** A policy that never was trained, but has opinions. */
export function opinionated({ spec }: Environment, participation: Participation = "threshold", seed = 1): Policy {
  const config = networkFor(spec);
  return networkPolicy("opinionated", createForward(config, strongWeights(config, seed)), participation);
}
