import { ColloquyError, suggest } from "../base/errors.ts";
import { cached, embedders, type HashedUnits, hashingEmbedder } from "../behaviour/index.ts";
import type { Embedder } from "../contracts/embedder.ts";

/**
 * Opens an embedder by the kind a recipe names, with a cache around it.
 * @param settings of the hashing embedder
 */
export async function openEmbedder(
  kind: string,
  settings: { readonly dimension: number; readonly units: HashedUnits },
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
    default:
      throw new ColloquyError("embedder/unknown", `there is no embedder "${kind}"`, {
        hint: suggest(kind, Object.keys(embedders)),
      });
  }
}
