import type { Embedding } from "../contracts/agent.ts";
import type { Embedder } from "../contracts/embedder.ts";

/**
 * Remembers embeddings by text and asks for all the missing ones in one batch; a text that is being embedded is not asked
 * for again. An embedder gives equal vectors for equal texts, so a hit changes nothing but time.
 *
 * @param capacity texts kept; the oldest go first
 */
export function cached(embedder: Embedder, capacity = 50_000): Embedder {
  const known = new Map<string, Embedding | Promise<Embedding>>();

  const ask = (missing: readonly string[]): void => {
    const made = embedder.embed(missing);
    if (!(made instanceof Promise)) {
      missing.forEach((text, i) => {
        known.set(text, made[i]);
      });
      return;
    }
    missing.forEach((text, i) => {
      const vector = made.then((vectors) => vectors[i]);
      const isCurrent = (): boolean => known.get(text) === vector;
      known.set(text, vector);
      vector.then(
        (ready) => isCurrent() && known.set(text, ready),
        // A failure is told to whoever waits for it, and not remembered.
        () => isCurrent() && known.delete(text),
      );
    });
  };
  return {
    name: embedder.name,
    dimension: embedder.dimension,
    embed(texts) {
      const missing = [...new Set(texts.filter((text) => !known.has(text)))];
      if (missing.length > 0) ask(missing);
      const found = texts.map((text) => known.get(text)!);
      for (const text of known.keys()) {
        if (known.size <= capacity) break;
        known.delete(text);
      }
      return found.some((vector) => vector instanceof Promise) ? Promise.all(found) : (found as Embedding[]);
    },
  };
}
