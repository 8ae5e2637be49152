import { weightShapes } from "../contracts/policy.ts";
import { forwardGru } from "./credit-gru.ts";
import { forwardMlp } from "./credit-mlp.ts";
import {
  createNetwork,
  disposeNetwork,
  networkFromWeights,
  networkWeights,
  setNetworkWeights,
} from "./credit-network.ts";

export * from "./adam.ts";
export * from "./backend.ts";
export type { CreditBatch, CreditNetwork, Credits } from "./credit-network.ts";
export * from "./gradients.ts";
export { initialWeights } from "./initial-weights.ts";
export * from "./participation.ts";
export type { Dropout } from "./project-embeddings.ts";

const shared = {
  shapes: weightShapes,
  create: createNetwork,
  fromWeights: networkFromWeights,
  weights: networkWeights,
  setWeights: setNetworkWeights,
  dispose: disposeNetwork,
};

/** Policy networks by the name that `NetworkConfig.kind` gives. They differ in how hidden units come from inputs. */
export const networks = {
  "credit-gru": { ...shared, forward: forwardGru },
  "credit-mlp": { ...shared, forward: forwardMlp },
};
