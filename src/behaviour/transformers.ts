import { existsSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { ColloquyError } from "../base/errors.ts";
import type { Embedding } from "../contracts/agent.ts";
import type { Embedder } from "../contracts/embedder.ts";
import { withoutPrinting } from "./without-printing.ts";

/** The same code by two names; the first that loads is used. Names as values: nobody needs them to compile or bundle. */
const packages: readonly string[] = ["@xenova/transformers", "@huggingface/transformers"];

/** The part of the packages that is used. */
interface Transformers {
  readonly env: { allowRemoteModels: boolean; localModelPath: string; useFSCache: boolean };
  pipeline(task: "feature-extraction", model: string, options: object): Promise<Extractor>;
}

interface Extractor {
  (text: string, options: { pooling: Pooling }): Promise<{ data: ArrayLike<number>; dims: readonly number[] }>;
  readonly tokenizer: { model_max_length?: number };
  readonly model: { readonly config?: { readonly max_position_embeddings?: number } };
}

type Pooling = "mean" | "cls";

export interface TransformersSettings {
  /**
   * A folder with `config.json`, `tokenizer.json`, `tokenizer_config.json` and `onnx/model.onnx` (or
   * `onnx/model_quantized.onnx`); else a name of the hub, `Xenova/all-MiniLM-L6-v2`, which is downloaded once.
   */
  readonly model: string;
  /** How the vectors of a text's tokens become one, as the model was trained: their mean (default), or the first. */
  readonly pooling?: Pooling;
  /** Weights of 8 bits: smaller, a little different. Default: only where a folder has no others. */
  readonly quantized?: boolean;
  /** Tokens of a text beyond these are not read. Default: as many as the model can, at most 512. */
  readonly maxTokens?: number;
  /** Where downloaded models are kept. Default: the package's own folder. */
  readonly cacheFolder?: string;
}

const attentionLimit = 512;

/**
 * Any sentence model in ONNX form (MiniLM, BGE, GTE, …) through the optional package `@xenova/transformers`, or its
 * successor `@huggingface/transformers`. Vectors have unit length; texts without a word give zeros. The name is
 * `transformers:` and the last part of the model's, with `:cls` for that pooling. Wrap it in a cache.
 *
 * Prints nothing; the native library beneath may write warnings of its own about a damaged model.
 * @throws ColloquyError `embedder/missing` when neither package loads or the model is not there, `embedder/files` when
 * its files do not make a model (`embed` too)
 */
export async function openTransformers(settings: TransformersSettings): Promise<Embedder> {
  const { model, pooling = "mean", maxTokens = attentionLimit } = settings;
  const transformers = await loadPackage();
  const extract = await inTurn(() => withoutPrinting(() => openModel(transformers, settings)));
  const positions = extract.model.config?.max_position_embeddings ?? attentionLimit;
  extract.tokenizer.model_max_length = Math.min(
    extract.tokenizer.model_max_length ?? attentionLimit,
    positions,
    maxTokens,
  );

  const extractOne = async (text: string): Promise<Float32Array> => {
    const { data } = await extract(text, { pooling }).catch((cause: Error) => {
      throw damaged(model, cause);
    });
    return toUnitLength(Float32Array.from(data));
  };
  const { length: dimension } = await withoutPrinting(() => extractOne("text"));

  return {
    name: `transformers:${basename(resolve(model))}${pooling === "mean" ? "" : `:${pooling}`}`,
    dimension,
    embed: (texts) =>
      withoutPrinting(async () => {
        const result: Embedding[] = [];
        // One by one: beside others a text's last bits would depend on them, and with 8-bit weights more than that.
        for (const text of texts)
          result.push({
            dimension,
            values: text.trim() === "" ? new Float32Array(dimension) : await extractOne(text),
          });
        return result;
      }),
  };
}

async function loadPackage(): Promise<Transformers> {
  const failures: unknown[] = [];
  for (const name of packages)
    try {
      return (await import(name)) as Transformers;
    } catch (cause) {
      failures.push(cause);
    }
  const [cause] = failures;
  throw new ColloquyError("embedder/missing", `the embedder "transformers" needs the package ${packages[0]}`, {
    cause,
    hint: `Install it: npm install ${packages[0]}@2.17.2, or use the embedder "hashing". (${(cause as Error).message.split("\n")[0]})`,
  });
}

/** Where models lie is a setting of the whole package, so models are opened one after the other. */
let turn: Promise<unknown> = Promise.resolve();
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const done = turn.then(work);
  turn = done.catch(() => {});
  return done;
}

async function openModel({ env, pipeline }: Transformers, settings: TransformersSettings): Promise<Extractor> {
  const { model, cacheFolder } = settings;
  const isFolder = statSync(model, { throwIfNoEntry: false })?.isDirectory() ?? false;
  if (!isFolder && !/^[\w.-]+(\/[\w.-]+)?$/.test(model)) throw missing(model, "there is no such folder");
  if (isFolder) checkFiles(model);
  const folder = resolve(model);
  const quantized = settings.quantized ?? (isFolder && !existsSync(join(folder, "onnx", "model.onnx")));
  const before = { ...env };
  if (isFolder) Object.assign(env, { allowRemoteModels: false, localModelPath: dirname(folder), useFSCache: false });
  try {
    return await pipeline("feature-extraction", isFolder ? basename(folder) : model, {
      quantized,
      // What the successor calls the same.
      dtype: quantized ? "q8" : "fp32",
      local_files_only: isFolder,
      ...(cacheFolder !== undefined && { cache_dir: cacheFolder }),
    });
  } catch (cause) {
    throw isFolder
      ? damaged(model, cause as Error)
      : missing(model, `no such folder, and the hub: ${(cause as Error).message.split("\n")[0]}`, cause);
  } finally {
    const { allowRemoteModels, localModelPath, useFSCache } = before;
    Object.assign(env, { allowRemoteModels, localModelPath, useFSCache });
  }
}

function checkFiles(folder: string): void {
  const weights = ["model.onnx", "model_quantized.onnx"].map((name) => join("onnx", name));
  const absent = ["config.json", "tokenizer.json", "tokenizer_config.json"].filter(
    (name) => !existsSync(join(folder, name)),
  );
  if (!weights.some((name) => existsSync(join(folder, name)))) absent.push(weights[0]);
  if (absent.length > 0) throw missing(folder, `the folder has no ${absent.join(", ")}`);
}

const missing = (model: string, why: string, cause?: unknown): ColloquyError =>
  new ColloquyError("embedder/missing", `the sentence model "${model}" cannot be had: ${why}`, {
    cause,
    hint: "Give a folder with config.json, tokenizer.json, tokenizer_config.json and onnx/model.onnx, or a name of the hub such as Xenova/all-MiniLM-L6-v2 where the network allows.",
  });

const damaged = (model: string, cause: Error): ColloquyError =>
  new ColloquyError("embedder/files", `the files of "${model}" do not make a sentence model: ${cause.message}`, {
    cause,
    hint: "Download its files again.",
  });

/** A vector without length stays: there is no direction to keep. */
function toUnitLength(values: Float32Array): Float32Array {
  const length = Math.hypot(...values);
  return length > 0 ? values.map((value) => value / length) : values;
}
