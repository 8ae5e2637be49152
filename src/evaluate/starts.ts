import { ColloquyError } from "../base/errors.ts";
import { createRng } from "../base/rng.ts";
import type { EpisodeStart, Item } from "../contracts/environment.ts";

/** One attack setting that every method is played under. */
export interface Cell {
  /** Name in the table of attacks. */
  readonly kind: string;
  /** k: adversaries an episode. */
  readonly adversaries: number;
  /** ρ as asked for. */
  readonly rate: number;
  /** Name in the table of schedules. */
  readonly onset: string;
}

/** One cell in words, for errors and streams. */
export const describeCell = ({ kind, adversaries, rate, onset }: Cell): string =>
  `${kind} at rate ${rate} (${adversaries} adversaries), onset ${onset}`;

/**
 * The episodes of a cell under one seed, in any world: the questions in an order drawn from the seed, over and over, so that each is
 * played ⌊n/Q⌋ or ⌈n/Q⌉ times, with `sample` counting its plays. The order does not depend on the cell: the same episode
 * with and without attack can be paired.
 * @param n episodes
 * @throws ColloquyError `evaluate/questions` when there are none, or two of one id
 */
export function planStarts<Q extends Item>(
  questions: readonly Q[],
  n: number,
  seed: number,
  { kind, adversaries, onset }: EpisodeStart["attack"],
): EpisodeStart<Q>[] {
  checkQuestions(questions);
  const order = createRng(seed).fork("evaluate", "questions").shuffle(questions);
  const attack = { kind, adversaries, onset };
  return Array.from({ length: n }, (_, index) => ({
    question: order[index % order.length],
    seed,
    sample: Math.floor(index / order.length),
    attack,
  }));
}

function checkQuestions(questions: readonly Item[]): void {
  if (questions.length === 0) {
    throw new ColloquyError("evaluate/questions", "there are no questions to evaluate on", {
      hint: "Check the split and --limit.",
    });
  }
  const seen = new Set<string>();
  for (const { id } of questions) {
    if (seen.has(id)) {
      throw new ColloquyError("evaluate/questions", `two questions have the id "${id}"`, {
        hint: "Results are paired by question: give every question its own id.",
      });
    }
    seen.add(id);
  }
}
