import type { Rng } from "../base/rng.ts";
import { type NetworkConfig, type Weights, weightShapes } from "../contracts/policy.ts";

/**
 * Fresh weights of either network, as PyTorch draws them: uniform in ±1/√(inputs) for a layer, in ±1/√H for the GRU. The
 * small bound of the projection, ±1/√D, matters: words never met in training keep their first weights, and these are noise
 * on new questions.
 */
export function initialWeights(config: NetworkConfig, rng: Rng): Weights {
  const shapes = weightShapes(config);
  const inputsOf = (name: string): number =>
    name === "embed.weight" ? config.embedding : name.startsWith("layer.") ? shapes["layer.weight"][1] : config.hidden;
  return Object.fromEntries(
    Object.entries(shapes).map(([name, shape]) => {
      const stream = rng.fork(name);
      const bound = 1 / Math.sqrt(inputsOf(name));
      const size = shape.reduce((product, length) => product * length, 1);
      const data = Float32Array.from({ length: size }, () => bound * (2 * stream.uniform() - 1));
      return [name, { shape, data }];
    }),
  );
}
