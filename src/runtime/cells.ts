import { sigmoid } from "../base/sigmoid.ts";

/** Makes the hidden units of one agent from its input x: those at `hiddenNH[base]` and after, moved on in place. */
export type Cell = (x: Float64Array, hiddenNH: Float32Array, base: number) => void;

/** A weight matrix by its name in the policy, checked. */
type Take = (name: string) => Float32Array;

/** h ← GRU(h, x), gates r, z, n in reset-after form. */
export function gruCell(take: Take, H: number): Cell {
  const inputWeights = take("gru.weight_ih");
  const hiddenWeights = take("gru.weight_hh");
  const inputBias = take("gru.bias_ih");
  const hiddenBias = take("gru.bias_hh");
  const h = new Float64Array(H);
  const fromInput = new Float64Array(3 * H);
  const fromHidden = new Float64Array(3 * H);
  return (x, hiddenNH, base) => {
    for (let j = 0; j < H; j++) h[j] = hiddenNH[base + j];
    affine(inputWeights, inputBias, x, fromInput);
    affine(hiddenWeights, hiddenBias, h, fromHidden);
    for (let j = 0; j < H; j++) {
      const r = sigmoid(fromInput[j] + fromHidden[j]);
      const z = sigmoid(fromInput[H + j] + fromHidden[H + j]);
      const n = Math.tanh(fromInput[2 * H + j] + r * fromHidden[2 * H + j]);
      hiddenNH[base + j] = n + z * (h[j] - n);
    }
  };
}

/** h = tanh(W x + b): nothing of what stood there before. */
export function layerCell(take: Take, H: number): Cell {
  const weight = take("layer.weight");
  const bias = take("layer.bias");
  return (x, hiddenNH, base) => {
    for (let j = 0, k = 0; j < H; j++) {
      let sum = bias[j];
      for (let i = 0; i < x.length; i++) sum += weight[k++] * x[i];
      hiddenNH[base + j] = Math.tanh(sum);
    }
  };
}

/** out = W·x + b, three rows at a time (there are 3H): their sums do not wait for each other. */
function affine(weight: Float32Array, bias: Float32Array, x: Float64Array, out: Float64Array): void {
  const length = x.length;
  for (let o = 0; o < out.length; o += 3) {
    let a = o * length;
    let b = a + length;
    let c = b + length;
    let sumA = bias[o];
    let sumB = bias[o + 1];
    let sumC = bias[o + 2];
    for (let i = 0; i < length; i++) {
      const value = x[i];
      sumA += weight[a++] * value;
      sumB += weight[b++] * value;
      sumC += weight[c++] * value;
    }
    out[o] = sumA;
    out[o + 1] = sumB;
    out[o + 2] = sumC;
  }
}
