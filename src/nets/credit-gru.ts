import type * as tfjs from "@tensorflow/tfjs";
import { creditsOf, type Forward, inputOf, tensorsOf } from "./credit-network.ts";
import { linear } from "./linear.ts";

/*
 * The credit network of TodyComm: for every agent i and every decision t = 2..T+1
 *
 *     h_i^t = GRU(h_i^{t-1}, f_i^t)        h_i^1 = 0 [ours]
 *     c_i^t = MLP(h_i^t)
 *
 * with weights shared by all agents. Here f_i^t = [W_e e_i^t ; s_i^t]: a learned linear map of the behaviour embedding
 * e (D → P; no bias, the GRU's own absorbs it) beside the S scalar features s [ours]. The MLP is one linear layer a head:
 * `communicate` for rounds 2..T, `decide` for the vote, or one for both (`heads: "shared"`, as the paper has it).
 */

export const forwardGru: Forward = (network, batch, dropout) => {
  const { tf, config } = network;
  const { steps: T, rows: R } = batch;
  const H = config.hidden;
  const θ = tensorsOf(network);

  // The input's half of the gates, for all steps at once.
  const gatesOfInput = linear(tf, inputOf(network, batch, dropout), θ["gru.weight_ih"], θ["gru.bias_ih"]);

  let h: tfjs.Tensor2D = tf.zeros([R, H]);
  const hidden: tfjs.Tensor2D[] = [];
  for (let t = 0; t < T; t++) {
    const [rIn, zIn, nIn] = tf.split(tf.slice(gatesOfInput, [t * R, 0], [R, 3 * H]), 3, 1);
    const [rOwn, zOwn, nOwn] = tf.split(linear(tf, h, θ["gru.weight_hh"], θ["gru.bias_hh"]), 3, 1);
    // Reset-after form: r gates the product with W_hn, not h itself (PyTorch, ONNX `linear_before_reset = 1`).
    const r = tf.sigmoid(tf.add(rIn, rOwn));
    const z = tf.sigmoid(tf.add(zIn, zOwn));
    const n = tf.tanh(tf.add(nIn, tf.mul(r, nOwn)));
    h = tf.add(n, tf.mul(z, tf.sub(h, n))); // (1 − z) n + z h
    hidden.push(h);
  }
  return creditsOf(network, tf.concat(hidden, 0), batch);
};
