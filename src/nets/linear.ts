import type * as tfjs from "@tensorflow/tfjs";
import type { TensorFlow } from "./backend.ts";

/**
 * y = x·Wᵀ + b, as PyTorch's `nn.Linear`: x [M, I], W [O, I], b [O], y [M, O].
 *
 * Its gradient is written out because WebAssembly multiplies transposed matrices with a naive kernel, which plain
 * differentiation always uses: transposing first makes a training step three times as fast.
 */
export function linear(tf: TensorFlow, x: tfjs.Tensor2D, weight: tfjs.Tensor2D, bias: tfjs.Tensor1D): tfjs.Tensor2D {
  const operation = tf.customGrad((...inputs) => {
    const [x, weight, bias, save] = inputs as [tfjs.Tensor2D, tfjs.Tensor2D, tfjs.Tensor1D, tfjs.GradSaveFunc];
    save([x, weight]);
    return {
      value: tf.add(tf.matMul(x, tf.transpose(weight)), bias),
      gradFunc: (dy, saved) => {
        const [x, weight] = saved as [tfjs.Tensor2D, tfjs.Tensor2D];
        const dyMO = dy as tfjs.Tensor2D;
        return [tf.matMul(dyMO, weight), tf.matMul(tf.transpose(dyMO), x), tf.sum(dyMO, 0)];
      },
    };
  });
  return operation(x, weight, bias) as tfjs.Tensor2D;
}
