import { hash32 } from "../base/fnv.ts";
import type { Embedding } from "../contracts/agent.ts";
import type { Embedder } from "../contracts/embedder.ts";

/** Characters read of one text: an utterance longer than this adds nothing but time. */
const longestText = 20_000;

/** What is hashed: words alone, or also pairs of neighbouring words. */
export type HashedUnits = "words" | "pairs";

/**
 * The hashing embedder [ours]: words (and word pairs), each hashed to one of `dimension` signed places, weighed by
 * 1 + log of how often it occurs, then scaled to length 1. It needs no model, so it runs inside the runtime; the numbers
 * are part of a checkpoint's meaning.
 *
 * @param dimension D, by default 2,048
 */
export function hashingEmbedder(dimension = 2048, units: HashedUnits = "words"): Embedder {
  return {
    name: `hashing-${units}-${dimension}`,
    dimension,
    embed: (texts) => texts.map((text) => hashText(text, dimension, units)),
  };
}

/** Reads the name of a hashing embedder; `undefined` for any other embedder. */
export function parseHashing(name: string): { readonly dimension: number; readonly units: HashedUnits } | undefined {
  const [, units, dimension] = /^hashing-(words|pairs)-(\d+)$/.exec(name) ?? [];
  return units === undefined ? undefined : { dimension: Number(dimension), units: units as HashedUnits };
}

/** The sparse embedding of one text; all zero for a text without words. */
export function hashText(text: string, dimension: number, units: HashedUnits): Embedding {
  const places = new Map<number, number>();
  for (const [unit, count] of countUnits(words(text), units)) {
    // The sign comes from a second hash, so that units that share a place cancel rather than add up.
    const sign = hash32(unit, 1) & 1 ? 1 : -1;
    const place = hash32(unit) % dimension;
    places.set(place, (places.get(place) ?? 0) + sign * (1 + Math.log(count)));
  }
  const indices = new Int32Array([...places.keys()]).sort();
  const values = new Float32Array(indices.length);
  let squares = 0;
  for (let i = 0; i < values.length; i++) {
    values[i] = places.get(indices[i])!;
    squares += values[i] * values[i];
  }
  const scale = squares > 0 ? 1 / Math.sqrt(squares) : 0;
  for (let i = 0; i < values.length; i++) values[i] *= scale;
  return { dimension, indices, values };
}

/**
 * Lower-case words of any script, with the marks that many write their vowels with. Single characters and numbers are
 * left out: they name options and quantities, which belong to the question, not to how somebody argues.
 */
export function words(text: string): string[] {
  const all =
    text
      .slice(0, longestText)
      .toLowerCase()
      .match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}]+/gu) ?? [];
  return all.filter((word) => !/^\p{N}+$/u.test(word));
}

function countUnits(list: readonly string[], units: HashedUnits): Map<string, number> {
  const counts = new Map<string, number>();
  const add = (unit: string): void => {
    counts.set(unit, (counts.get(unit) ?? 0) + 1);
  };
  list.forEach((word, i) => {
    add(word);
    if (units === "pairs" && i > 0) add(`${list[i - 1]} ${word}`);
  });
  return counts;
}
