import { ColloquyError } from "../base/errors.ts";
import { isRecord } from "../base/json.ts";
import type { Embedding } from "../contracts/agent.ts";
import type { Embedder } from "../contracts/embedder.ts";
import type { Attempts } from "./retry/attempts.ts";
import { type ConnectionSettings, connect, oddAnswer } from "./server/connection.ts";
import type { Asked } from "./server/failures.ts";

export interface EndpointEmbedderSettings extends ConnectionSettings {
  readonly model: string;
  /** The retry layer of the server, as chats use it. */
  readonly attempts: Attempts;
  /** Default: found out with a first request. */
  readonly dimension?: number;
  /** How numbers travel: `base64` is a quarter of the bytes, but not every server knows it. Default `float`. */
  readonly encoding?: "float" | "base64";
  /** The most characters of a text that are sent; the models take some 500 to 8,000 tokens. Default 24,000. */
  readonly longestText?: number;
  /** Told of each request that succeeded; `tokens` is `null` where the server did not count. */
  readonly onUsage?: (usage: {
    readonly model: string;
    readonly texts: number;
    readonly tokens: number | null;
  }) => void;
  readonly signal?: AbortSignal;
}

/** Texts a request; servers take from 96 upwards. */
const batchSize = 96;

/**
 * An embedder on a server's `/embeddings`. Vectors are brought to length 1; equal texts of one call are sent once.
 * @throws ColloquyError `llm/…` as `openaiClient`, also from `embed`; `embedder/dimension` where vectors are of another
 * size than was said
 */
export async function endpointEmbedder(settings: EndpointEmbedderSettings): Promise<Embedder> {
  const { model, attempts, encoding = "float", longestText = 24_000, onUsage, signal } = settings;
  const connection = connect(settings);
  const asked: Asked = { url: `${connection.baseURL}/embeddings`, model, apiKey: connection.apiKey };

  const ask = async (texts: readonly string[]): Promise<readonly Float32Array[]> => {
    // Servers refuse empty texts.
    const input = texts.map((text) => text.slice(0, longestText).trim() || " ");
    const body = await connection.request({
      asked,
      send: (client, options) => client.embeddings.create({ model, input, encoding_format: encoding }, options),
      signal,
    });
    const vectors = readVectors(body["data"], texts.length);
    if (vectors === undefined) throw oddAnswer(asked, `without one vector for each of ${texts.length} texts`);
    const usage = isRecord(body["usage"]) ? body["usage"]["prompt_tokens"] : undefined;
    onUsage?.({
      model,
      texts: texts.length,
      tokens: Number.isSafeInteger(usage) && Number(usage) > 0 ? Number(usage) : null,
    });
    return vectors;
  };
  const askPatiently = (texts: readonly string[]): Promise<readonly Float32Array[]> =>
    attempts.run({ send: () => ask(texts), estimate: () => texts.join("").length / 4, signal });

  const dimension = settings.dimension ?? (await askPatiently(["dimension"]))[0].length;
  return {
    name: `endpoint:${model}`,
    dimension,
    async embed(texts) {
      const distinct = [...new Set(texts)];
      const batches = Array.from({ length: Math.ceil(distinct.length / batchSize) }, (_, i) =>
        distinct.slice(i * batchSize, (i + 1) * batchSize),
      );
      const vectors = (await Promise.all(batches.map(askPatiently))).flat();
      const known = new Map<string, Embedding>();
      for (const [i, values] of vectors.entries()) {
        if (values.length !== dimension)
          throw new ColloquyError(
            "embedder/dimension",
            `${model} gives vectors of ${values.length}, not ${dimension}`,
            {
              hint: `Set the embedder's dimension to ${values.length}, or leave it out.`,
            },
          );
        known.set(distinct[i], { dimension, values });
      }
      return texts.map((text) => known.get(text)!);
    },
  };
}

/** Vectors in the order of the texts, whatever order they came in; `undefined` unless there is one good one for each. */
function readVectors(data: unknown, count: number): readonly Float32Array[] | undefined {
  if (!Array.isArray(data) || data.length !== count) return undefined;
  const vectors = new Map<number, Float32Array>();
  for (const [i, item] of data.entries()) {
    const values = isRecord(item) ? readVector(item["embedding"]) : undefined;
    if (values !== undefined) vectors.set(Number(item["index"] ?? i), values);
  }
  const inOrder = Array.from({ length: count }, (_, i) => vectors.get(i));
  return inOrder.every((vector) => vector !== undefined) ? inOrder : undefined;
}

function readVector(embedding: unknown): Float32Array | undefined {
  let values: Float32Array;
  if (typeof embedding === "string") {
    // Copied: floats must begin at a multiple of four bytes.
    const bytes = new Uint8Array(Buffer.from(embedding, "base64"));
    if (bytes.length % 4 !== 0) return undefined;
    values = new Float32Array(bytes.buffer);
  } else if (Array.isArray(embedding) && embedding.every((value) => typeof value === "number")) {
    values = Float32Array.from(embedding);
  } else return undefined;
  const length = Math.hypot(...values);
  if (values.length === 0 || !Number.isFinite(length)) return undefined;
  return length > 0 ? values.map((value) => value / length) : values;
}
