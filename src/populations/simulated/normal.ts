import type { Rng } from "../../base/rng.ts";

/** Φ: the standard normal distribution function, to 1e-7 (Abramowitz and Stegun 26.2.17). */
export function normalCdf(x: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(x));
  const polynomial = t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  const tail = (Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI)) * polynomial;
  return x > 0 ? 1 - tail : tail;
}

/** Φ⁻¹ by bisection, for p in (0, 1). */
export function normalQuantile(p: number): number {
  // Exactly, so that a signal of .5 shifts nothing.
  if (p === 0.5) return 0;
  let low = -9;
  let high = 9;
  while (high - low > 1e-9) {
    const middle = (low + high) / 2;
    if (normalCdf(middle) < p) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** A vector of independent standard normals. Box-Muller in pairs: half the work of `rng.normal()` for each. */
export function drawNormals(count: number, rng: Rng): Float32Array {
  const values = new Float32Array(count);
  for (let i = 0; i < count; i += 2) {
    const radius = Math.sqrt(-2 * Math.log(1 - rng.uniform()));
    const angle = 2 * Math.PI * rng.uniform();
    values[i] = radius * Math.cos(angle);
    if (i + 1 < count) values[i + 1] = radius * Math.sin(angle);
  }
  return values;
}
