import type { ReplyStatus } from "./task.ts";

/** One agent's output as kept in a record. */
export interface UtteranceRecord {
  readonly answer: string | null;
  readonly status: ReplyStatus;
  /** The text, or where a behaviour bank keeps it. */
  readonly text?: string;
  readonly source?: string;
  readonly tokens?: number | null;
  readonly cost?: number | null;
  readonly finish?: "length" | "filtered" | "other";
  /** The agent was not asked: no call was made. */
  readonly silent?: true;
}

/** One decision and what came of it. Credits are kept to nine digits, which gives them back exactly. */
export interface DecisionRecord {
  /** 2..T, and T+1 for the vote. */
  readonly round: number;
  readonly credits: readonly number[];
  readonly participants: readonly number[];
  /** What the graph ranked agents by, where that was not the credits. */
  readonly trust?: readonly number[];
  /** [source, target] pairs; empty for the vote. */
  readonly edges: readonly (readonly [number, number])[];
  /** Edges through time: the target heard what the source last said before this round. Absent where there are none. */
  readonly temporal?: readonly (readonly [number, number])[];
  readonly levels: number;
  /** Log-probability of the participation as it was sampled; absent where nothing was sampled. */
  readonly logProbability?: number;
}

/** What the record of an episode says in every world. */
export interface EpisodeTrace {
  readonly environment: string;
  /** Identity of what was played: the question, or the project. */
  readonly question: string;
  readonly seed: number;
  readonly sample: number;
  readonly branch?: number;
  readonly attack: { readonly kind: string; readonly adversaries: number; readonly onset: string };
  /** First adversarial round (or decision) of each agent, 0 for honest ones. */
  readonly onsets: readonly number[];
  readonly decisions: readonly DecisionRecord[];
  /** Task utility in [0, 1]. */
  readonly utility: number;
  /** How it ended, in the world's words; `failed`: it could not be played to its end, the message stands in `error`. */
  readonly outcome: string;
  readonly error?: string;
  readonly calls: number;
  /** `null` where nobody counted, or a server did not say. */
  readonly tokens: number | null;
  /** In US dollars, what its calls cost when each is paid; `null` where one is not known; absent where calls are free. */
  readonly cost?: number | null;
  /** Version of the policy that decided (its training step), where it is a trained one. */
  readonly policyVersion?: number;
}

/**
 * Everything that happened in a deliberation: with the population and the settings of the run it can be replayed, and its
 * vote recounted from the record alone.
 */
export interface EpisodeRecord extends EpisodeTrace {
  /** For each round played the agents that attack in it; only where they do not all go on from their onset (`moving`). */
  readonly active?: readonly (readonly number[])[];
  /** The shared wrong answer of the adversaries, where there are any. */
  readonly target: string | null;
  /** `rounds[t][i]`: what agent i said in round t+1; `null` where it kept its last output and made no call. */
  readonly rounds: readonly (readonly (UtteranceRecord | null)[])[];
  readonly answer: string | null;
  readonly gold: string | null;
  /** The answers given that were judged right, where something else than equality with `gold` judges. */
  readonly right?: readonly string[];
  /** `unparsed`: nobody gave a readable answer. `failed`: an agent threw. */
  readonly outcome: "right" | "wrong" | "unparsed" | "failed";
}

/**
 * Whether an agent attacks in a round, 1-based. What is brought to the vote was said in the last round: later rounds are
 * as that one. Records of `moving` made before they kept `active` name the first round alone: it counts from then on.
 */
export function attacksIn(
  { onsets, active, rounds }: Pick<EpisodeRecord, "onsets" | "active" | "rounds">,
  agent: number,
  round: number,
): boolean {
  const spoken = Math.min(round, rounds.length);
  return active === undefined
    ? onsets[agent] > 0 && onsets[agent] <= spoken
    : (active[spoken - 1]?.includes(agent) ?? false);
}

/** Whether an answer given in an episode is right. */
export const isRightAnswer = ({ right, gold }: Pick<EpisodeRecord, "right" | "gold">, answer: string | null): boolean =>
  answer !== null && (right?.includes(answer) ?? answer === gold);
