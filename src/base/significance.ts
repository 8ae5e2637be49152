import type { Rng } from "./rng.ts";
import { sum } from "./stats.ts";

/** Up to this many differences all 2^n sign patterns are enumerated. */
const EXACT = 16;

/**
 * Two-sided sign-flip permutation test of "the differences are symmetric about 0": the share of sign patterns whose sum
 * is at least as far from 0 as the observed one (Fisher 1935). Exact where at most 16 differences are not 0; else Monte
 * Carlo with (1 + hits) / (1 + draws), which never claims a p of 0. Does not depend on the order of the differences.
 * @param differences one for each question
 */
export function signFlip(differences: readonly number[], rng: Rng, draws = 9999): number {
  // A difference of 0 is the same under both signs. Sorted, so that the random signs do not meet them in the caller's order.
  const sizes = differences
    .filter((d) => d !== 0)
    .map(Math.abs)
    .sort((a, b) => a - b);
  // Sums of the same numbers in another order differ in the last bits.
  const threshold = Math.abs(sum(differences)) - 1e-9 * sum(sizes);
  if (sizes.length <= EXACT) return countPatterns(sizes, threshold, 0, 0) / 2 ** sizes.length;
  let hits = 0;
  for (let draw = 0; draw < draws; draw++) if (Math.abs(randomSum(sizes, rng)) >= threshold) hits++;
  return (1 + hits) / (1 + draws);
}

function countPatterns(sizes: readonly number[], threshold: number, place: number, total: number): number {
  if (place === sizes.length) return Math.abs(total) >= threshold ? 1 : 0;
  return (
    countPatterns(sizes, threshold, place + 1, total + sizes[place]) +
    countPatterns(sizes, threshold, place + 1, total - sizes[place])
  );
}

function randomSum(sizes: readonly number[], rng: Rng): number {
  let total = 0;
  let bits = 0;
  for (let i = 0; i < sizes.length; i++) {
    // One draw gives thirty signs.
    if (i % 30 === 0) bits = rng.integer(2 ** 30);
    total += bits & 1 ? sizes[i] : -sizes[i];
    bits >>= 1;
  }
  return total;
}

/**
 * Exact two-sided McNemar test (a binomial test on the discordant pairs): min(1, 2 P(X ≤ min(b, c))), X ~ Bin(b + c, ½).
 * @param onlyFirst b: questions that only the first method has right
 * @param onlySecond c: questions that only the second has right
 */
export function mcNemar(onlyFirst: number, onlySecond: number): number {
  const n = onlyFirst + onlySecond;
  const fewer = Math.min(onlyFirst, onlySecond);
  // Terms as logarithms, since 2^-n is 0 in floating point from n = 1075 on; they grow, so small ones are added first.
  let logTerm = -n * Math.LN2;
  let tail = Math.exp(logTerm);
  for (let k = 1; k <= fewer; k++) {
    logTerm += Math.log((n - k + 1) / k);
    tail += Math.exp(logTerm);
  }
  return Math.min(1, 2 * tail);
}

/** Holm's step-down adjustment for a family of tests (Holm 1979), in the order given. Compare with the level itself. */
export function holm(pValues: readonly number[]): number[] {
  const order = pValues.map((_, index) => index).sort((a, b) => pValues[a] - pValues[b]);
  const adjusted = new Array<number>(pValues.length);
  let largest = 0;
  order.forEach((index, rank) => {
    largest = Math.max(largest, Math.min(1, (pValues.length - rank) * pValues[index]));
    adjusted[index] = largest;
  });
  return adjusted;
}
