import { ColloquyError } from "../base/errors.ts";
import type { Rng } from "../base/rng.ts";

/** k = round(ρN), half up. @throws ColloquyError `attack/rate` for a rate outside [0, 1] */
export function adversaryCount(rate: number, agents: number): number {
  if (!(rate >= 0 && rate <= 1)) {
    throw new ColloquyError("attack/rate", `attack rate ${rate} is not between 0 and 1`, {
      hint: "The rate is the share of adversarial agents: 0.5 makes 3 of 6.",
    });
  }
  // .29 × 50 is 14.499999999999998 in floating point and 14.5 on paper.
  return Math.round(rate * agents + 1e-9);
}

/**
 * Draws k of N agents. The adversaries of a smaller k are among those of a larger one, so attack rates can be compared
 * on the same episodes. @throws ColloquyError `attack/adversaries`
 */
export function drawAdversaries(count: number, agents: number, rng: Rng): number[] {
  if (!(Number.isInteger(count) && count >= 0 && count <= agents)) {
    throw new ColloquyError("attack/adversaries", `a team of ${agents} cannot have ${count} adversaries`, {
      hint: `Give a whole number from 0 to ${agents}.`,
    });
  }
  return rng.shuffle(Array.from({ length: agents }, (_, agent) => agent)).slice(0, count);
}
