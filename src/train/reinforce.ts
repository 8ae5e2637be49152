import type * as tfjs from "@tensorflow/tfjs";
import { type Credits, entropies, logProbabilities, type TensorFlow } from "../nets/index.ts";
import type { BatchTensors } from "./tensors.ts";

/*
 * REINFORCE (Williams, 1992) as TodyComm uses it: the reward of an episode is its task utility, the action its whole
 * trajectory of participation decisions,
 *
 *     ∇J ≈ mean_b A_b Σ_t Σ_i ∇ log π(z_i^t | s^t)
 *     log π(z) = z log σ(c) + (1−z) log σ(−c)
 *
 * over agents that are eligible and not forced; building the graph is deterministic and adds no term. The advantage A is
 * the utility minus a baseline [ours; see baseline.ts].
 */

/** Credits of the head that spoke at each decision: [D, B·N]. */
export function spokenCredits(tf: TensorFlow, credits: Credits, batch: BatchTensors): tfjs.Tensor2D {
  return tf.add(tf.mul(batch.decides, credits.decide), tf.mul(tf.sub(1, batch.decides), credits.communicate));
}

/** −mean_b A_b Σ_t Σ_i log π(z_i^t): its gradient is the estimator above, with the sign of a loss. */
export function reinforceLoss(
  tf: TensorFlow,
  spoken: tfjs.Tensor2D,
  batch: BatchTensors,
  episodes: number,
): tfjs.Scalar {
  const logPi = logProbabilities(tf, spoken, batch.chosen, batch.free);
  return tf.neg(tf.div(tf.sum(tf.mul(logPi, batch.advantages)), episodes)).asScalar();
}

/**
 * The clipped surrogate of PPO (Schulman et al., 2017), for batches that are used more than once: the ratio of a decision
 * is π_new/π_old of all its draws, and leaving [1−clip, 1+clip] earns nothing more.
 */
export function clippedLoss(
  tf: TensorFlow,
  spoken: tfjs.Tensor2D,
  batch: BatchTensors,
  episodes: number,
  clip: number,
): tfjs.Scalar {
  const shift = tf.sub(decisionLogProbabilities(tf, spoken, batch, episodes), batch.sampledLogProbabilities);
  // Far outside any clip range and far inside 32 bits: an infinite ratio would make the gradient undefined.
  const ratio = tf.exp(tf.clipByValue(shift, -30, 30));
  const advantages = tf.mean(tf.reshape(batch.advantages, [1, episodes, -1]), 2);
  const kept = tf.minimum(tf.mul(ratio, advantages), tf.mul(tf.clipByValue(ratio, 1 - clip, 1 + clip), advantages));
  return tf.neg(tf.div(tf.sum(kept), episodes)).asScalar();
}

/** log π of each decision, summed over agents: [D, B]. */
export function decisionLogProbabilities(
  tf: TensorFlow,
  spoken: tfjs.Tensor2D,
  batch: BatchTensors,
  episodes: number,
): tfjs.Tensor2D {
  const rows = logProbabilities(tf, spoken, batch.chosen, batch.free);
  return tf.sum(tf.reshape(rows, [spoken.shape[0], episodes, -1]), 2);
}

/** Mean entropy of the decisions that were the policy's to make, in nats; 0 where there were none. */
export function meanEntropy(tf: TensorFlow, spoken: tfjs.Tensor2D, batch: BatchTensors): tfjs.Scalar {
  const count = tf.maximum(tf.sum(batch.free), 1);
  return tf.div(tf.sum(entropies(tf, spoken, batch.free)), count);
}
