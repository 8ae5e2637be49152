import { shortHash } from "../base/hash.ts";
import type { Embedding } from "../contracts/agent.ts";
import type { Embedder } from "../contracts/embedder.ts";

/**
 * Remembers embeddings by text hash and asks for the missing ones in one batch. Deterministic: an embedder gives equal
 * vectors for equal texts, so a hit changes nothing but time.
 *
 * @param capacity texts kept; the oldest go first
 */
export function cached(embedder: Embedder, capacity = 200_000): Embedder {
  const known = new Map<string, Embedding>();
  const keyOf = (text: string): string => (text.length < 64 ? text : shortHash(text, 32));
  const embed = async (texts: readonly string[], keys: readonly string[]): Promise<readonly Embedding[]> => {
    const missing = new Map<string, string>();
    keys.forEach((key, i) => {
      if (!known.has(key)) missing.set(key, texts[i]);
    });
    const made = await embedder.embed([...missing.values()]);
    [...missing.keys()].forEach((key, i) => {
      known.set(key, made[i]);
    });
    const result = keys.map((key) => known.get(key)!);
    for (const key of known.keys()) {
      if (known.size <= capacity) break;
      known.delete(key);
    }
    return result;
  };
  return {
    name: embedder.name,
    dimension: embedder.dimension,
    embed(texts) {
      const keys = texts.map(keyOf);
      const hits = keys.map((key) => known.get(key));
      return hits.every((hit) => hit !== undefined) ? (hits as Embedding[]) : embed(texts, keys);
    },
  };
}
