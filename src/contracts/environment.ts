import type { Action, Observation, Truth } from "./policy.ts";
import type { Question } from "./task.ts";
import type { EpisodeRecord, EpisodeTrace } from "./trace.ts";

/** One point in time of an episode. */
export interface TimeStep {
  /** `first` follows a reset, `last` ends the episode; an action given after `last` is an error. */
  readonly kind: "first" | "mid" | "last";
  /** What the policy sees; on `last` there is nothing left to decide and it is `null`. */
  readonly observation: Observation | null;
  /** Reward for the action just taken; 0 on `first`. */
  readonly reward: number;
  /** On `last`: the episode was cut by a limit rather than ended by its own rules, so what would have followed has value. */
  readonly truncated: boolean;
}

/** What an episode is about: a question, or a project. */
export interface Item {
  /** Stable identity inside its benchmark. */
  readonly id: string;
}

/** What an episode is made from. The same start gives the same episode for the same actions, whatever runs beside it. */
export interface EpisodeStart<Q extends Item = Question> {
  readonly question: Q;
  /** The seed of the run. */
  readonly seed: number;
  /** Tells apart episodes of one question; part of the stream's name. */
  readonly sample: number;
  /**
   * Tells apart several runs of one episode that differ in nothing but the policy's own draws: agents given the same
   * inbox say the same, so such runs share calls. Default 0.
   */
  readonly branch?: number;
  readonly attack: { readonly kind: string; readonly adversaries: number; readonly onset: string };
  readonly signal?: AbortSignal;
}

/** What a world is, fixed for all its episodes. */
export interface EnvironmentSpec {
  /** Versioned name: `deliberation-v1`. */
  readonly name: string;
  /** N, or the most of an episode where teams differ in size. */
  readonly agents: number;
  /** The most decisions an episode can ask for. */
  readonly maxDecisions: number;
  /** S feature names, in order. */
  readonly scalars: readonly string[];
  /** D of the behaviour embeddings; 0 for none. */
  readonly embedding: number;
}

/** One episode being played. @typeParam R its record */
export interface Episode<R extends EpisodeTrace = EpisodeRecord> {
  readonly first: TimeStep;
  /** @throws ColloquyError `environment/ended` after the last time step, `environment/action` on a malformed action */
  step(action: Action): Promise<TimeStep>;
  /** For measures and the oracle only. */
  readonly truth: Truth;
  /** The complete record; whole after the last time step. */
  record(): R;
}

/**
 * A world. Several episodes may be open at once: all state lives in the `Episode`.
 * The contract follows dm_env: reset gives the first time step, step gives the next one.
 * @typeParam Q what its episodes are about
 * @typeParam R their record
 */
export interface Environment<Q extends Item = Question, R extends EpisodeTrace = EpisodeRecord> {
  readonly spec: EnvironmentSpec;
  reset(start: EpisodeStart<Q>): Promise<Episode<R>>;
}
