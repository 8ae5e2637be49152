import type * as tfjs from "@tensorflow/tfjs";
import type { TensorFlow } from "../nets/index.ts";
import { rankOf } from "../runtime/draw-order.ts";
import type { Batch, Decision } from "./batch.ts";

/** Orders that were drawn: [D·B, N, N], 1 where i takes part and j stands at i's place or later; `null` where none was. */
export function packOrders(
  rollouts: readonly { readonly decisions: readonly Decision[] }[],
  { decisions, episodes, agents }: Pick<Batch, "decisions" | "episodes" | "agents">,
): Float32Array | null {
  if (!rollouts.some((rollout) => rollout.decisions.some(({ action }) => action.drawnOrder))) return null;
  const later = new Float32Array(decisions * episodes * agents * agents);
  rollouts.forEach((rollout, b) => {
    rollout.decisions.forEach(({ action }, d) => {
      if (action.drawnOrder !== true || action.trustN === undefined) return;
      const base = (d * episodes + b) * agents * agents;
      const order = rankOf(action.trustN, action.participantsN);
      order.forEach((i, place) => {
        for (let k = place; k < order.length; k++) later[base + i * agents + order[k]] = 1;
      });
    });
  });
  return later;
}

/**
 * REINFORCE for the order of agents [ours]: −mean_b A_b Σ_t log π(order), where
 *
 *     log π(order) = Σ_i trust_i − log Σ_{j at i's place or later} exp trust_j
 *
 * over those who take part (Plackett-Luce). It is added to the loss of participation: who takes part and who ranks above
 * whom are drawn apart, by heads of their own.
 * @param trust credits of the decision head, [D, B·N]
 * @param orders see `packOrders`
 * @param advantages A, B entries
 */
export function orderLoss(
  tf: TensorFlow,
  trust: tfjs.Tensor2D,
  { decisions, episodes, agents }: Pick<Batch, "decisions" | "episodes" | "agents">,
  orders: Float32Array | null,
  advantages: Float32Array,
): tfjs.Scalar {
  if (orders === null) return tf.scalar(0);
  const rows = decisions * episodes;
  const later = tf.tensor3d(orders, [rows, agents, agents]);
  const takesPart = tf.clipByValue(tf.sum(later, 2), 0, 1);
  const c = tf.reshape(trust, [rows, agents]);
  const rest = tf.reshape(tf.matMul(later, tf.reshape(tf.exp(c), [rows, agents, 1])), [rows, agents]);
  // Where somebody does not take part the sum is empty: log 1 in its place, and no term.
  const terms = tf.mul(takesPart, tf.sub(c, tf.log(tf.add(rest, tf.sub(1, takesPart)))));
  const weights = tf.tensor2d(
    Float32Array.from({ length: rows }, (_, row) => advantages[row % episodes]),
    [rows, 1],
  );
  return tf.neg(tf.div(tf.sum(tf.mul(terms, weights)), episodes)).asScalar();
}
