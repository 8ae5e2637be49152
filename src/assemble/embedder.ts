import type { Environment as Variables } from "../base/env.ts";
import { ColloquyError, suggest } from "../base/errors.ts";
import { cached, embedders, type HashedUnits, hashingEmbedder } from "../behaviour/index.ts";
import type { Embedder } from "../contracts/embedder.ts";
import type { LiveTeam } from "./parts/live.ts";

/** What a recipe's `behaviour` says of its embedder. */
export interface EmbedderSettings {
  /** Of the hashing embedder. */
  readonly dimension: number;
  readonly units: HashedUnits;
  /** Of `transformers` and `endpoint`. */
  readonly model?: string;
}

/** Opens an embedder by the kind a recipe names, with a cache around it. */
export async function openEmbedder(
  kind: string,
  settings: EmbedderSettings,
  { live = null, variables = {} }: { readonly live?: LiveTeam | null; readonly variables?: Variables } = {},
): Promise<Embedder> {
  switch (kind) {
    case "hashing":
      return cached(hashingEmbedder(settings.dimension, settings.units));
    case "use-lite": {
      const [{ openBackend }, { openUseLite }] = await Promise.all([
        import("../nets/index.ts"),
        import("../behaviour/use-lite.ts"),
      ]);
      const { tf } = await openBackend("auto");
      return cached(await openUseLite(tf));
    }
    case "transformers": {
      const { openTransformers } = await import("../behaviour/transformers.ts");
      return cached(await openTransformers({ model: settings.model! }));
    }
    case "endpoint":
      return cached(await openEndpoint(settings.model!, live, variables));
    default:
      throw new ColloquyError("embedder/unknown", `there is no embedder "${kind}"`, {
        hint: suggest(kind, Object.keys(embedders)),
      });
  }
}

/** The embeddings of the server that the models' base URL names; what they use stands in the run's account. */
async function openEndpoint(model: string, live: LiveTeam | null, variables: Variables): Promise<Embedder> {
  if (live === null) {
    throw new ColloquyError("embedder/endpoint", "the embedder `endpoint` belongs to live language models", {
      hint: "For recorded agents use behaviour.embedder: hashing, use-lite or transformers.",
    });
  }
  const { endpointEmbedder } = await import("../llm/index.ts");
  const { account, attemptsFor } = live;
  const baseURL = variables["OPENAI_BASE_URL"];
  return endpointEmbedder({
    baseURL,
    apiKey: variables["OPENAI_API_KEY"],
    model,
    attempts: attemptsFor(baseURL),
    onUsage: account.payEmbedding,
  });
}
