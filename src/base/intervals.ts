import type { Rng } from "./rng.ts";
import { quantile, Z_975 } from "./stats.ts";

/** A 95 % confidence interval. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/**
 * Wilson's score interval for a proportion (Wilson 1927). Right only where the n outcomes are independent: each question
 * played once.
 * @returns [0, 1] when n is 0
 */
export function wilson(successes: number, n: number): Interval {
  if (n === 0) return { low: 0, high: 1 };
  const share = successes / n;
  const z2 = Z_975 ** 2;
  const centre = share + z2 / (2 * n);
  const half = Z_975 * Math.sqrt((share * (1 - share)) / n + z2 / (4 * n * n));
  const scale = 1 + z2 / n;
  // At the ends the bound is exact; rounding would leave 1e-17 instead of 0.
  return {
    low: successes === 0 ? 0 : (centre - half) / scale,
    high: successes === n ? 1 : (centre + half) / scale,
  };
}

/** One value with the two things it shares with others: a cluster (a question) and a block (a seed). */
export interface Measurement {
  readonly cluster: string;
  readonly block: number;
  readonly value: number;
}

/**
 * Percentile interval of a mean by the cluster bootstrap: whole clusters are drawn with replacement, so values of one
 * question never count as independent. With several blocks these are drawn too, independently, and a value counts
 * (draws of its cluster) × (draws of its block) times: Owen's pigeonhole bootstrap, which errs on the wide side.
 *
 * For a paired comparison give the differences as values. Does not depend on the order of the measurements. Where all
 * cluster means are equal the interval has width 0.
 * @throws RangeError without measurements
 */
export function bootstrapMean(measurements: readonly Measurement[], rng: Rng, resamples = 2000): Interval {
  if (measurements.length === 0) throw new RangeError("bootstrap of an empty list");
  const clusters = indexOf(measurements.map((m) => m.cluster));
  const blocks = indexOf(measurements.map((m) => m.block));
  const sumsCB = new Float64Array(clusters.size * blocks.size);
  const countsCB = new Float64Array(sumsCB.length);
  for (const { cluster, block, value } of measurements) {
    const cell = clusters.get(cluster)! * blocks.size + blocks.get(block)!;
    sumsCB[cell] += value;
    countsCB[cell]++;
  }
  const meansR = new Float64Array(resamples);
  for (let r = 0; r < resamples; ) {
    const timesB = drawTimes(blocks.size, rng);
    let total = 0;
    let count = 0;
    for (let draw = 0; draw < clusters.size; draw++) {
      const start = rng.integer(clusters.size) * blocks.size;
      for (let b = 0; b < blocks.size; b++) {
        total += timesB[b] * sumsCB[start + b];
        count += timesB[b] * countsCB[start + b];
      }
    }
    // Blocks and clusters need not cross everywhere: a draw that holds nothing is drawn again.
    if (count > 0) meansR[r++] = total / count;
  }
  return { low: quantile(meansR, 0.025), high: quantile(meansR, 0.975) };
}

/** Distinct keys, sorted, each with its place. */
function indexOf<K extends string | number>(keys: readonly K[]): Map<K, number> {
  const distinct = [...new Set(keys)].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  return new Map(distinct.map((key, index) => [key, index]));
}

/** How often each of n things comes up in n draws with replacement. */
function drawTimes(n: number, rng: Rng): Float64Array {
  const times = new Float64Array(n);
  if (n === 1) times[0] = 1;
  else for (let draw = 0; draw < n; draw++) times[rng.integer(n)]++;
  return times;
}
