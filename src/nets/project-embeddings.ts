import type * as tfjs from "@tensorflow/tfjs";
import { mix32 } from "../base/fnv.ts";
import type { Embedding } from "../contracts/agent.ts";
import type { TensorFlow } from "./backend.ts";

/** Inverted dropout: entries are zeroed with probability `rate`, the others divided by 1 − rate. */
export interface Dropout {
  /** In [0, 1). */
  readonly rate: number;
  /** Any 32-bit integer. The mask is a function of (seed, row, index) alone, so it need not be stored. */
  readonly seed: number;
}

/** Rows laid out at once: 1 MB at D = 2,048, which stays in the processor's cache. */
const blockRows = 128;

/**
 * x·Wᵀ for M embeddings, each sparse, dense, or `null` (a row of zeros): W [P, D] → [M, P], with its gradient in W.
 *
 * Rows are laid out densely, a block at a time, in the forward and again in the backward pass, whatever they hold.
 * Measured on WebAssembly against loops over the non-zeros (1,152 rows, 300 of 2,048 entries, P = 32, both passes):
 * 16 against 27 ms, with dropout ½ 21 against 18 ms; dense embeddings 4 against 55 ms.
 */
export function projectEmbeddings(
  tf: TensorFlow,
  weight: tfjs.Tensor2D,
  embeddings: readonly (Embedding | null)[],
  dropout?: Dropout,
): tfjs.Tensor2D {
  const rows = embeddings.length;
  const dimension = weight.shape[1];
  const block = (start: number): tfjs.Tensor2D =>
    layOut(tf, embeddings, start, Math.min(rows, start + blockRows), dimension, dropout);
  const operation = tf.customGrad((...inputs) => {
    const weight = inputs[0] as tfjs.Tensor2D;
    const transposed = tf.transpose(weight);
    const parts: tfjs.Tensor2D[] = [];
    for (let start = 0; start < rows; start += blockRows) {
      parts.push(tf.tidy(() => tf.matMul(block(start), transposed)));
    }
    return {
      value: tf.concat(parts, 0),
      gradFunc: (dy) => {
        let total: tfjs.Tensor2D = tf.zerosLike(weight);
        for (let start = 0; start < rows; start += blockRows) {
          total = tf.tidy(() => {
            const length = Math.min(blockRows, rows - start);
            const dyBP = tf.slice(dy as tfjs.Tensor2D, [start, 0], [length, -1]);
            return tf.add(total, tf.matMul(tf.transpose(dyBP), block(start)));
          });
        }
        return total;
      },
    };
  });
  return operation(weight) as tfjs.Tensor2D;
}

function layOut(
  tf: TensorFlow,
  embeddings: readonly (Embedding | null)[],
  start: number,
  end: number,
  dimension: number,
  dropout: Dropout | undefined,
): tfjs.Tensor2D {
  const dense = new Float32Array((end - start) * dimension);
  for (let row = start; row < end; row++) {
    const embedding = embeddings[row];
    if (!embedding) continue;
    const offset = (row - start) * dimension;
    const { indices, values } = embedding;
    if (dropout && dropout.rate > 0) {
      const scale = 1 / (1 - dropout.rate);
      const dropBelow = dropout.rate * 4294967296;
      const stream = mix32(dropout.seed ^ Math.imul(row + 1, 0x9e3779b1));
      for (let k = 0; k < values.length; k++) {
        const index = indices ? indices[k] : k;
        const kept = mix32(stream ^ Math.imul(index + 1, 0x85ebca6b)) >= dropBelow;
        if (kept) dense[offset + index] = values[k] * scale;
      }
    } else if (indices) {
      for (let k = 0; k < values.length; k++) dense[offset + indices[k]] = values[k];
    } else {
      dense.set(values, offset);
    }
  }
  return tf.tensor2d(dense, [end - start, dimension]);
}
