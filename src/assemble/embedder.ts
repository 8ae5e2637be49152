import { ColloquyError, suggest } from "../base/errors.ts";
import { cached, hashingEmbedder } from "../behaviour/index.ts";
import type { Embedder } from "../contracts/embedder.ts";

/**
 * Opens an embedder by the kind a recipe names, with a cache around it.
 * @param dimension of the hashing embedder
 */
export async function openEmbedder(kind: string, dimension: number): Promise<Embedder> {
  switch (kind) {
    case "hashing":
      return cached(hashingEmbedder(dimension));
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
        hint: suggest(kind, ["hashing", "use-lite"]),
      });
  }
}

/** Opens the embedder a policy was trained with, by the name its config keeps (`hashing-2048`, `use-lite`). */
export function openNamedEmbedder(name: string): Promise<Embedder> {
  const hashing = /^hashing-(\d+)$/.exec(name);
  return hashing ? openEmbedder("hashing", Number(hashing[1])) : openEmbedder(name, 0);
}
