import type { Rng } from "../base/rng.ts";
import type { Question, ReplyStatus } from "./task.ts";

/** A vector of length `dimension`: dense when `indices` is absent, else `values[k]` at `indices[k]` and 0 elsewhere. */
export interface Embedding {
  readonly dimension: number;
  readonly indices?: Int32Array;
  readonly values: Float32Array;
}

/** What one agent said in one round: o_i^t = (sol_i^t, ana_i^t) of TodyComm. */
export interface Utterance {
  /** sol: the answer in normal form; `null` unless `status` is `parsed`. */
  readonly answer: string | null;
  readonly status: ReplyStatus;
  /** ana: the analysis as text; may be empty when `embedding` is given. Untrusted. */
  readonly text: string;
  /** ana as a vector, from populations that speak without words. Otherwise the embedder makes it from `text`. */
  readonly embedding?: Embedding;
  /** Where the text can be found again (an utterance of a behaviour bank); records then keep this instead of the text. */
  readonly source?: string;
  /** Tokens of prompt and reply as the server counted them; `null` where it did not say; absent where there are none. */
  readonly tokens?: number | null;
  /** In US dollars; `null` where tokens or price are not known; absent where speaking costs nothing. */
  readonly cost?: number | null;
  /** Why a reply ended, where it did not end by itself. */
  readonly finish?: "length" | "filtered" | "other";
  /** Set where the agent stayed silent without being asked: no call was made. */
  readonly silent?: true;
  /** Hidden content that reaches only those who hear the utterance (pieces of knowledge in simulated teams). */
  readonly carries?: unknown;
}

/** One utterance an agent hears, with its speaker's role: the parent's output of the same round, or an earlier one. */
export interface Message {
  readonly from: number;
  readonly role: string;
  readonly utterance: Utterance;
  /** Set where it came through time: said in an earlier round. */
  readonly earlier?: true;
}

/** What an attack makes an agent do this round; the population says it in its own voice. Honest turns carry none. */
export interface Orders {
  /** The answer to argue for; `null`: any answer at random, each time anew. */
  readonly target: string | null;
  /** `argue`: a plausible case for the target. `rebut`: also answers what was heard. `babble`: no argument at all. */
  readonly manner: "argue" | "rebut" | "babble";
}

/** Everything an agent may know when it speaks. */
export interface Turn {
  readonly question: Question;
  /** 1-based. */
  readonly round: number;
  /** In the order of the graph; empty in round 1. */
  readonly heard: readonly Message[];
  /** Its own latest utterance; `null` in round 1 or when it is asked afresh. */
  readonly own: Utterance | null;
  readonly orders?: Orders;
  /** This agent's stream of this round: the same whatever the others do. */
  readonly rng: Rng;
  readonly signal?: AbortSignal;
}

/**
 * Whoever can answer: a simulated agent, a recorded one, a language model. Agents of one team are asked in a fixed order
 * (by level, then index); a synchronous agent may therefore keep state for its team within an episode.
 */
export interface Agent {
  readonly role: string;
  respond(turn: Turn): Utterance | Promise<Utterance>;
}
