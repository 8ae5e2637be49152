import { creditsOf, type Forward, inputOf, tensorsOf } from "./credit-network.ts";
import { linear } from "./linear.ts";

/*
 * The credit network without memory, an ablation: a layer of H units stands in the GRU's place,
 *
 *     h_i^t = tanh(W f_i^t + b)
 *     c_i^t = MLP(h_i^t)
 *
 * with the same input f and the same heads. A decision sees nothing of the rounds before but what the features keep of them.
 */

export const forwardMlp: Forward = (network, batch, dropout) => {
  const { tf } = network;
  const θ = tensorsOf(network);
  const h = tf.tanh(linear(tf, inputOf(network, batch, dropout), θ["layer.weight"], θ["layer.bias"]));
  return creditsOf(network, h, batch);
};
