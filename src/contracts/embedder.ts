import type { Embedding } from "./agent.ts";

/** Turns analyses into behaviour embeddings. */
export interface Embedder {
  /** Recorded in a policy, so that the runtime knows which one it needs: `hashing-2048`, `use-lite`, … */
  readonly name: string;
  readonly dimension: number;
  /** One vector a text, in order. Equal texts give equal vectors. */
  embed(texts: readonly string[]): readonly Embedding[] | Promise<readonly Embedding[]>;
}
