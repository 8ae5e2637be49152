import type { EpisodeRecord } from "../../contracts/trace.ts";
import { shorten } from "./wording.ts";

/** How the answers of an episode are called where there is little room. */
export interface AnswerNames {
  /** `B`, `42`, or the number of a longer answer: `A2`. */
  nameOf(answer: string): string;
  /** In a sentence: the answer itself where it is short enough. */
  say(answer: string): string;
  /** Name and answer of each, in order; empty where all answers are their own names. */
  readonly numbered: readonly (readonly [string, string])[];
}

/** Characters that a node has room for. */
const mostCharacters = 3;
const shortEnough = 24;

/** Letters and other short answers are their own names. Where one is longer all are numbered: cut, they would look alike. */
export function nameAnswers({ rounds, right, gold, target, answer }: EpisodeRecord): AnswerNames {
  const given = rounds.flatMap((said) => said.map((utterance) => utterance?.answer ?? null));
  const all = [right === undefined ? gold : null, target, answer, ...given].filter((one) => one !== null);
  const distinct = [...new Set(all)];
  const areShort = distinct.every((one) => [...one.trim()].length <= mostCharacters);
  const names = new Map(distinct.map((one, index) => [one, areShort ? one.trim() : `A${index + 1}`]));
  const nameOf = (one: string): string => names.get(one) ?? shorten(one, mostCharacters);
  return {
    nameOf,
    say: (one) =>
      names.has(one) && (one.length > shortEnough || one.includes("\n")) ? nameOf(one) : shorten(one, shortEnough),
    numbered: areShort ? [] : distinct.map((one) => [names.get(one)!, one] as const),
  };
}
