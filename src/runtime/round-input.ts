import { ColloquyError } from "../base/errors.ts";
import type { Embedding } from "../contracts/agent.ts";
import type { Observation } from "../contracts/policy.ts";
import type { SpokenUtterance } from "./team-memory.ts";

/** Who may take part in the next round, and who must; one flag an agent. By default everyone may and nobody must. */
interface Flags {
  readonly eligible?: ArrayLike<number>;
  readonly forced?: ArrayLike<number>;
}

/** What was said in a round; `null` for an agent that kept its last utterance. */
export interface SpokenRound extends Flags {
  readonly utterances: readonly (SpokenUtterance | null)[];
}

/** Features computed elsewhere, for worlds that do not speak in words. */
export interface RawObservation extends Flags {
  /** N×S in the order of the policy's feature names. */
  readonly features: ArrayLike<number>;
  readonly embeddings?: readonly (Embedding | null)[];
}

/** All that a session can be told of a round; a list is that of its utterances. */
export type RoundInput = SpokenRound["utterances"] | SpokenRound | RawObservation;

/** @throws ColloquyError `session/observation` where it is none of the three */
export function readRound(input: RoundInput): SpokenRound | RawObservation {
  if (Array.isArray(input)) return { utterances: input };
  const { utterances, features } = (input ?? {}) as Partial<SpokenRound & RawObservation>;
  if (Array.isArray(utterances) || features?.length !== undefined) return input as SpokenRound | RawObservation;
  throw new ColloquyError("session/observation", "an observation without utterances and without features", {
    hint: "Give a list of utterances, { utterances } or { features }.",
  });
}

/**
 * How many agents a round is about.
 * @param scalars S of the policy
 * @throws ColloquyError `session/observation` where features are no whole number of agents
 */
export function sizeOf(round: SpokenRound | RawObservation, scalars: number): number {
  if ("utterances" in round) return round.utterances.length;
  if (scalars === 0) return round.embeddings?.length ?? 0;
  const { length } = round.features;
  if (length % scalars === 0) return length / scalars;
  throw new ColloquyError("session/observation", `${length} features do not divide into the ${scalars} of an agent`, {
    hint: "Give one flat list of numbers: all features of the first agent, then all of the second, and so on.",
  });
}

/** @throws ColloquyError `session/observation` unless there is one entry an agent */
export function checkSize(found: number, agents: number): void {
  if (found === agents) return;
  throw new ColloquyError("session/observation", `an observation of ${found} agents in a session of ${agents}`, {
    hint: "Give one entry an agent, always in the same order; null for an agent that kept its last utterance.",
  });
}

/** @throws ColloquyError `session/observation` where a list of flags is about another team */
export function readFlags({ eligible, forced }: Flags, agents: number): Pick<Observation, "eligibleN" | "forcedN"> {
  const flags = (given: ArrayLike<number> | undefined, missing: number): Uint8Array => {
    if (given === undefined) return new Uint8Array(agents).fill(missing);
    checkSize(given.length, agents);
    return Uint8Array.from(given);
  };
  return { eligibleN: flags(eligible, 1), forcedN: flags(forced, 0) };
}
