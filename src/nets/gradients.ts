import type * as tfjs from "@tensorflow/tfjs";
import type { Weights } from "../contracts/policy.ts";
import type { CreditNetwork } from "./credit-network.ts";

/** A loss and its gradient in every parameter, as plain arrays. */
export interface LossGradients {
  readonly loss: number;
  /** By parameter name; zeros where the loss does not depend on a parameter. */
  readonly gradients: Weights;
}

/** Evaluates `loss` with its gradients and leaves no tensor behind. */
export function lossGradients(network: CreditNetwork, loss: () => tfjs.Scalar): LossGradients {
  const { tf, parameters } = network;
  return tf.tidy(() => {
    const { value, grads } = tf.variableGrads(loss, Object.values(parameters));
    const gradients = Object.entries(parameters).map(([name, variable]) => {
      const gradient = grads[variable.name] as tfjs.Tensor | null | undefined;
      const data = gradient ? Float32Array.from(gradient.dataSync()) : new Float32Array(variable.size);
      return [name, { shape: [...variable.shape], data }];
    });
    return { loss: value.dataSync()[0], gradients: Object.fromEntries(gradients) };
  });
}
