import type * as tfjs from "@tensorflow/tfjs";
import type { TensorFlow } from "./backend.ts";

/*
 * Participation is Bernoulli: p_i = σ(c_i), z_i ~ Bernoulli(p_i) (TodyComm). Everything is written with softplus, never
 * with log σ: log(sigmoid(-200)) is −∞ in 32 bits and its gradient NaN.
 */

/**
 * log π of each decision: z log σ(c) + (1−z) log(1−σ(c)) = −softplus((1−2z) c).
 * @param credits c, any shape
 * @param participants z, 0 or 1, same shape
 * @param counted 1 where the decision was a draw, 0 for agents that are not eligible or forced; those get 0. Same shape.
 */
export function logProbabilities<T extends tfjs.Tensor>(
  tf: TensorFlow,
  credits: T,
  participants: tfjs.Tensor,
  counted: tfjs.Tensor,
): T {
  const sign = tf.sub(1, tf.mul(participants, 2));
  return tf.neg(tf.mul(tf.softplus(tf.mul(sign, credits)), counted)) as T;
}

/**
 * Entropy of each decision in nats, log 2 at c = 0: softplus(−|c|) + |c| σ(−|c|), which cancels nowhere.
 * 0 where `counted` is 0.
 */
export function entropies<T extends tfjs.Tensor>(tf: TensorFlow, credits: T, counted: tfjs.Tensor): T {
  const size = tf.abs(credits);
  const tail = tf.neg(size);
  return tf.mul(tf.add(tf.softplus(tail), tf.mul(size, tf.sigmoid(tail))), counted) as T;
}
