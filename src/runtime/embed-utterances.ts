import { ColloquyError } from "../base/errors.ts";
import { hashText, parseHashing } from "../behaviour/hashing.ts";
import type { PolicyManifest } from "../checkpoint/manifest.ts";
import type { Embedding } from "../contracts/agent.ts";
import type { SpokenUtterance } from "./team-memory.ts";

/** Embeds texts outside the runtime: one vector a text, in order. */
export type EmbedTexts = (
  texts: readonly string[],
) => readonly ArrayLike<number>[] | Promise<readonly ArrayLike<number>[]>;

type Vectors = (Embedding | null)[];

/**
 * How utterances become the vectors that a policy reads. Hashing runs here; any other embedder must be given.
 * @throws ColloquyError `session/embedder` on a text for which there is no embedder
 */
export function chooseEmbedder(
  { embedder, network: { embedding: dimension } }: PolicyManifest,
  embed: EmbedTexts | undefined,
): (utterances: readonly (SpokenUtterance | null)[]) => Vectors | Promise<Vectors> {
  const hashing = embedder === null ? undefined : parseHashing(embedder);
  const ownEmbedder =
    hashing === undefined
      ? undefined
      : (texts: readonly string[]) => texts.map((text) => hashText(text, hashing.dimension, hashing.units));
  return (utterances) => {
    if (dimension === 0) return utterances.map(() => null);
    const vectors: Vectors = utterances.map((utterance) =>
      utterance?.embedding === undefined ? null : toEmbedding(utterance.embedding, dimension),
    );
    // Who said nothing has no vector, as in training.
    const open = utterances.flatMap((utterance, i) =>
      utterance?.text === undefined || vectors[i] !== null ? [] : [i],
    );
    if (open.length === 0) return vectors;
    const maker = ownEmbedder ?? embed;
    if (maker === undefined) throw missing(embedder);
    const made = maker(open.map((i) => utterances[i]!.text!));
    const place = (ready: readonly (ArrayLike<number> | Embedding)[]): Vectors => {
      if (ready.length !== open.length) {
        const found = `the embedder gave ${ready.length} vectors for ${open.length} texts`;
        throw new ColloquyError("session/embedder", found, { hint: "Give one vector a text, in order." });
      }
      open.forEach((i, k) => {
        vectors[i] = toEmbedding(ready[k], dimension);
      });
      return vectors;
    };
    return made instanceof Promise ? made.then(place) : place(made);
  };
}

function toEmbedding(vector: ArrayLike<number> | Embedding, dimension: number): Embedding {
  const embedding =
    "values" in vector && typeof vector.values !== "function"
      ? vector
      : { dimension: (vector as ArrayLike<number>).length, values: Float32Array.from(vector as ArrayLike<number>) };
  if (embedding.dimension === dimension) return embedding;
  throw new ColloquyError(
    "session/observation",
    `an embedding of ${embedding.dimension} dimensions; the policy reads ${dimension}`,
  );
}

const missing = (embedder: string | null): ColloquyError =>
  new ColloquyError("session/embedder", `this policy reads embeddings of "${embedder}", and none was given`, {
    hint: "Pass createSession(policy, { embed }) with a function that embeds texts that way, or utterances with an `embedding`.",
  });
