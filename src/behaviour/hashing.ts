import { hash32 } from "../base/fnv.ts";
import type { Embedding } from "../contracts/agent.ts";
import type { Embedder } from "../contracts/embedder.ts";

/** Characters read of one text: an utterance longer than this adds nothing but time. */
const longestText = 20_000;

/**
 * The hashing embedder [ours]: words and word pairs, each hashed to one of `dimension` signed places, then scaled to
 * length 1. It needs no model, so it runs inside the runtime; the numbers are part of a checkpoint's meaning.
 *
 * @param dimension D, by default 2,048
 */
export function hashingEmbedder(dimension = 2048): Embedder {
  return {
    name: `hashing-${dimension}`,
    dimension,
    embed: (texts) => texts.map((text) => hashText(text, dimension)),
  };
}

/** The sparse embedding of one text; all zero for a text without words. */
export function hashText(text: string, dimension: number): Embedding {
  const counts = new Map<number, number>();
  let previous: string | undefined;
  for (const word of words(text)) {
    addFeature(counts, word, dimension);
    if (previous !== undefined) addFeature(counts, `${previous} ${word}`, dimension);
    previous = word;
  }
  const indices = Int32Array.from(counts.keys()).sort();
  const values = Float32Array.from(indices, (index) => counts.get(index)!);
  let squares = 0;
  for (const value of values) squares += value * value;
  const scale = squares > 0 ? 1 / Math.sqrt(squares) : 0;
  for (let i = 0; i < values.length; i++) values[i] *= scale;
  return { dimension, indices, values };
}

/** Lower-case runs of letters and digits of any script. */
export function words(text: string): string[] {
  return (
    text
      .slice(0, longestText)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

function addFeature(counts: Map<number, number>, feature: string, dimension: number): void {
  const hash = hash32(feature);
  const index = hash % dimension;
  // The sign comes from a second hash, so that features that share a place cancel rather than add up.
  const sign = hash32(feature, 1) & 1 ? 1 : -1;
  counts.set(index, (counts.get(index) ?? 0) + sign);
}
