import type { Embedding } from "../contracts/agent.ts";
import type { Embedder } from "../contracts/embedder.ts";

/**
 * Remembers embeddings by text and asks for all the missing ones in one batch. An embedder gives equal vectors for equal
 * texts, so a hit changes nothing but time.
 *
 * @param capacity texts kept; the oldest go first
 */
export function cached(embedder: Embedder, capacity = 50_000): Embedder {
  const known = new Map<string, Embedding>();
  const embedMissing = async (texts: readonly string[]): Promise<readonly Embedding[]> => {
    const missing = [...new Set(texts.filter((text) => !known.has(text)))];
    const made = await embedder.embed(missing);
    missing.forEach((text, i) => {
      known.set(text, made[i]);
    });
    const result = texts.map((text) => known.get(text)!);
    for (const text of known.keys()) {
      if (known.size <= capacity) break;
      known.delete(text);
    }
    return result;
  };
  return {
    name: embedder.name,
    dimension: embedder.dimension,
    embed(texts) {
      const hits = texts.map((text) => known.get(text));
      return hits.every((hit) => hit !== undefined) ? (hits as Embedding[]) : embedMissing(texts);
    },
  };
}
