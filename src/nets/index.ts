import { weightShapes } from "../contracts/policy.ts";
import {
  createNetwork,
  disposeNetwork,
  forward,
  networkFromWeights,
  networkWeights,
  setNetworkWeights,
} from "./credit-gru.ts";

export * from "./adam.ts";
export * from "./backend.ts";
export type { CreditBatch, CreditNetwork, Credits } from "./credit-gru.ts";
export * from "./gradients.ts";
export * from "./participation.ts";
export type { Dropout } from "./project-embeddings.ts";

/** Policy networks by the name that `NetworkConfig.kind` gives. */
export const networks = {
  "credit-gru": {
    shapes: weightShapes,
    create: createNetwork,
    fromWeights: networkFromWeights,
    weights: networkWeights,
    setWeights: setNetworkWeights,
    forward,
    dispose: disposeNetwork,
  },
};
