/** Embedders by name. The sizes are defaults; `hashing` takes any. */
export const embedders = {
  hashing: { summary: "hashed words (and word pairs), 2,048 dimensions; no model, runs inside the runtime" },
  transformers: {
    summary:
      "a sentence model in ONNX form, from a folder or the hub, through the optional package @xenova/transformers",
  },
  "use-lite": { summary: "Universal Sentence Encoder lite, 512 dimensions, from a package that ships its weights" },
} as const;

export { cached } from "./cached.ts";
export { computeFeatures, defaultFeatures, features, type TeamView } from "./features.ts";
export { type HashedUnits, hashingEmbedder } from "./hashing.ts";
