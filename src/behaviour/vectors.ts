import type { Embedding } from "../contracts/agent.ts";

/** Inner product of two embeddings of one dimension, sparse or dense in any mix. Sparse indices are in rising order. */
export function dot(a: Embedding, b: Embedding): number {
  // Two dense ones, or one with itself.
  if (a.indices === b.indices) return dotAligned(a.values, b.values);
  if (a.indices && b.indices) return dotSparse(a.indices, a.values, b.indices, b.values);
  return a.indices ? dotMixed(a.indices, a.values, b.values) : dotMixed(b.indices!, b.values, a.values);
}

function dotAligned(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}

function dotSparse(ai: Int32Array, av: Float32Array, bi: Int32Array, bv: Float32Array): number {
  let sum = 0;
  for (let i = 0, j = 0; i < ai.length && j < bi.length; ) {
    const a = ai[i];
    const b = bi[j];
    if (a === b) sum += av[i] * bv[j];
    // Added up rather than branched on: no processor foresees which index is the smaller one.
    i += Number(a <= b);
    j += Number(b <= a);
  }
  return sum;
}

function dotMixed(indices: Int32Array, values: Float32Array, dense: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < indices.length; i++) sum += values[i] * dense[indices[i]];
  return sum;
}

/** Cosine of the angle between two embeddings; 0 where one of them is zero or missing. */
export function cosine(a: Embedding | null, b: Embedding | null): number {
  if (a === null || b === null) return 0;
  const norms = Math.sqrt(dot(a, a) * dot(b, b));
  return norms > 0 ? dot(a, b) / norms : 0;
}
