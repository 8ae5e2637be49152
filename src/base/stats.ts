/** Quantiles of the standard normal distribution: two-sided 5 % level, and 80 % power. */
export const Z_975 = 1.959963984540054;
export const Z_80 = 0.8416212335729143;

/** Arithmetic mean. @throws RangeError on an empty list. */
export function mean(values: ArrayLike<number>): number {
  if (values.length === 0) throw new RangeError("mean of an empty list");
  return sum(values) / values.length;
}

export function sum(values: ArrayLike<number>): number {
  let total = 0;
  for (let i = 0; i < values.length; i++) total += values[i];
  return total;
}

/** The sum of what may not be known: one unknown part makes the whole unknown. */
export const sumKnown = (parts: readonly (number | null)[]): number | null =>
  parts.every((part) => part !== null) ? sum(parts) : null;

/** Sample variance (n − 1 in the denominator). @throws RangeError on fewer than two values. */
export function variance(values: ArrayLike<number>): number {
  if (values.length < 2) throw new RangeError(`variance needs two values, got ${values.length}`);
  const centre = mean(values);
  let squares = 0;
  for (let i = 0; i < values.length; i++) squares += (values[i] - centre) ** 2;
  return squares / (values.length - 1);
}

/**
 * The `p` quantile, 0 ≤ p ≤ 1, linear between order statistics (Hyndman & Fan's type 7, as numpy and R by default).
 * @param values in any order; not changed
 * @throws RangeError on an empty list or a `p` outside [0, 1].
 */
export function quantile(values: ArrayLike<number>, p: number): number {
  if (values.length === 0) throw new RangeError("quantile of an empty list");
  if (!(p >= 0 && p <= 1)) throw new RangeError(`quantile needs 0 ≤ p ≤ 1, got ${p}`);
  const sorted = Float64Array.from(values).sort();
  const place = p * (sorted.length - 1);
  const below = Math.floor(place);
  const above = Math.min(below + 1, sorted.length - 1);
  return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
}

/**
 * How many pairs (questions) a paired comparison needs to see a true mean difference with 80 % power at the two-sided
 * 5 % level: (z.975 + z.80)² σ² / δ², rounded up.
 * @param varianceOfDifferences σ² of the per-question differences, as observed
 * @param difference δ, in the same unit; 3 points by default
 * @returns `null` where the differences do not vary, so that nothing can be said
 */
export function questionsNeeded(varianceOfDifferences: number, difference = 0.03): number | null {
  if (!(varianceOfDifferences > 0)) return null;
  return Math.ceil(((Z_975 + Z_80) ** 2 * varianceOfDifferences) / difference ** 2);
}
