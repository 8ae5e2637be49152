import { systemClock } from "../../src/base/clock.ts";
import type { Agent } from "../../src/contracts/agent.ts";
import type { Environment } from "../../src/contracts/environment.ts";
import type { DeliberationSettings } from "../../src/environments/index.ts";
import type { ForwardPass } from "../../src/runtime/forward.ts";

/** The parts of an episode that can be told apart from outside. */
export const parts = ["forward pass", "team and attack", "agents", "embedding", "graph", "vote"] as const;
export type Part = (typeof parts)[number];

/** Adds up the time spent in each part. Two looks at the clock cost about a tenth of a microsecond. */
export interface Stopwatch {
  readonly spentMs: Record<Part, number>;
  time<T>(part: Part, work: () => T): T;
  reset(): void;
}

export function createStopwatch(): Stopwatch {
  const zeros = (): Record<Part, number> => Object.fromEntries(parts.map((part) => [part, 0])) as Record<Part, number>;
  const spentMs = zeros();
  return {
    spentMs,
    time(part, work) {
      const startedMs = systemClock.elapsedMs();
      const result = work();
      spentMs[part] += systemClock.elapsedMs() - startedMs;
      return result;
    },
    reset: () => void Object.assign(spentMs, zeros()),
  };
}

/** The same forward pass, timed. */
export const timeForward = (forward: ForwardPass, { time }: Stopwatch): ForwardPass => ({
  ...forward,
  step: (observation, hiddenNH) => time("forward pass", () => forward.step(observation, hiddenNH)),
});

/** The same world with its parts timed. */
export function timeSettings(settings: DeliberationSettings, { time }: Stopwatch): DeliberationSettings {
  const { population, embedder } = settings;
  const timeAgent = (agent: Agent): Agent => ({
    role: agent.role,
    respond: (turn) => time("agents", () => agent.respond(turn)),
  });
  return {
    ...settings,
    population: {
      ...population,
      team: (...situation) => time("team and attack", () => population.team(...situation)).map(timeAgent),
      targets: (question) => time("team and attack", () => population.targets(question)),
    },
    attack: (...situation) => time("team and attack", () => settings.attack(...situation)),
    topology: (input) => time("graph", () => settings.topology(input)),
    embedder: embedder && { ...embedder, embed: (texts) => time("embedding", () => embedder.embed(texts)) },
  };
}

/** The same world with its last step, the vote, timed. */
export function timeVote(environment: Environment, { time }: Stopwatch): Environment {
  return {
    spec: environment.spec,
    async reset(start) {
      const episode = await environment.reset(start);
      let decisions = 0;
      return {
        ...episode,
        step: (action) =>
          ++decisions < environment.spec.maxDecisions ? episode.step(action) : time("vote", () => episode.step(action)),
      };
    },
  };
}
