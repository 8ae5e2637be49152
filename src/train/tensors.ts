import type * as tfjs from "@tensorflow/tfjs";
import type { TensorFlow } from "../nets/index.ts";
import type { Batch } from "./batch.ts";

/** A batch's masks as tensors, [D, B·N] but for `advantages`. Made inside `tf.tidy`, or disposed of by the caller. */
export interface BatchTensors {
  readonly chosen: tfjs.Tensor2D;
  readonly free: tfjs.Tensor2D;
  readonly decides: tfjs.Tensor2D;
  readonly supports: tfjs.Tensor2D;
  readonly readable: tfjs.Tensor2D;
  /** A, repeated for each agent of its episode: [1, B·N]. */
  readonly advantages: tfjs.Tensor2D;
  /** log π of each decision as it was sampled: [D, B]. */
  readonly sampledLogProbabilities: tfjs.Tensor2D;
}

export function toTensors(tf: TensorFlow, batch: Batch, advantages: Float32Array): BatchTensors {
  const { decisions, episodes, agents } = batch;
  const columns = episodes * agents;
  const shaped = (data: Float32Array): tfjs.Tensor2D => tf.tensor2d(data, [decisions, columns]);
  return {
    chosen: shaped(batch.chosen),
    free: shaped(batch.free),
    decides: shaped(batch.decides),
    supports: shaped(batch.supports),
    readable: shaped(batch.readable),
    advantages: tf.tensor2d(
      Float32Array.from({ length: columns }, (_, column) => advantages[Math.floor(column / agents)]),
      [1, columns],
    ),
    sampledLogProbabilities: tf.tensor2d(batch.logProbabilities, [decisions, episodes]),
  };
}
