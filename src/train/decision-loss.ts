import type * as tfjs from "@tensorflow/tfjs";
import type { TensorFlow } from "../nets/index.ts";
import type { BatchTensors } from "./tensors.ts";

/** Stands for −∞ in a masked log-sum: e^this is 0 in 32 bits, and this times 0 is not NaN. */
const never = -1e9;

/**
 * The direct decision loss [ours]: cross-entropy of the soft vote on the gold answer, after every round,
 *
 *     −log ( Σ_{i: sol_i = gold} σ(c_i) / Σ_{i readable} σ(c_i) )
 *
 * where c is the decision head's credit. It is dense and of low variance, and it uses task labels only: who is
 * adversarial is never looked at. Votes that cannot go wrong or cannot go right (everybody or nobody right) teach nothing
 * and are left out; the mean is over all D·B votes, so their share does not change the step size.
 *
 * @param decide credits of the decision head, [D, B·N]
 */
export function decisionLoss(
  tf: TensorFlow,
  decide: tfjs.Tensor2D,
  batch: BatchTensors,
  episodes: number,
): tfjs.Scalar {
  const votes = [decide.shape[0], episodes, -1];
  const logWeights = tf.neg(tf.softplus(tf.neg(decide)));
  const masked = (mask: tfjs.Tensor2D): tfjs.Tensor =>
    tf.logSumExp(tf.reshape(tf.add(logWeights, tf.mul(tf.sub(1, mask), never)), votes), 2);
  const counted = open(tf, batch, votes);
  const losses = tf.mul(counted, tf.sub(masked(batch.readable), masked(batch.supports)));
  return tf.div(tf.sum(losses), decide.shape[0] * episodes);
}

/** 1 for votes in which some but not all readable agents are right. */
function open(tf: TensorFlow, batch: BatchTensors, votes: number[]): tfjs.Tensor {
  const right = tf.sum(tf.reshape(batch.supports, votes), 2);
  const readable = tf.sum(tf.reshape(batch.readable, votes), 2);
  return tf.mul(tf.clipByValue(right, 0, 1), tf.clipByValue(tf.sub(readable, right), 0, 1));
}
