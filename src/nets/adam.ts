import { ColloquyError } from "../base/errors.ts";
import type { Weights } from "../contracts/policy.ts";

/*
 * Adam on plain arrays. TensorFlow.js' own optimiser restores its bias correction as a power where it had kept a running
 * product, so that a resumed run differs in the last bits; it also matches moments by position. This one is the same on
 * every backend, and its whole state can be saved.
 */

/** Defaults are PyTorch's. */
export interface AdamSettings {
  readonly learningRate: number;
  /** Factors on the learning rate, by parameter; 1 for those not named. */
  readonly rates?: Readonly<Record<string, number>>;
  /** β1, default 0.9. */
  readonly beta1?: number;
  /** β2, default 0.999. */
  readonly beta2?: number;
  /** ε, default 1e-8. */
  readonly epsilon?: number;
  /** Decoupled weight decay (AdamW), default 0. */
  readonly weightDecay?: number;
  /** Gradients are scaled down to this joint L2 norm; default no limit. */
  readonly maxNorm?: number;
}

/** Tensors `step` [1], `m/<parameter>` and `v/<parameter>`: save them and go on bit for bit. */
export type AdamState = Weights;

export interface AdamStep {
  readonly weights: Weights;
  readonly state: AdamState;
  /** Joint L2 norm of the gradients before clipping. */
  readonly norm: number;
}

/** The state before the first step. */
export function startAdam(weights: Weights): AdamState {
  const zeros = (prefix: string) =>
    Object.entries(weights).map(([name, { shape, data }]) => [
      `${prefix}/${name}`,
      { shape, data: new Float32Array(data.length) },
    ]);
  return Object.fromEntries([["step", { shape: [1], data: Float32Array.of(0) }], ...zeros("m"), ...zeros("v")]);
}

/**
 * One step of Adam, or AdamW with weight decay. Nothing is changed in place.
 * @throws ColloquyError `adam/gradient` naming a parameter whose gradient is not finite, `adam/state` when the state
 * belongs to other parameters
 */
export function adamStep(weights: Weights, gradients: Weights, state: AdamState, settings: AdamSettings): AdamStep {
  const { learningRate, beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8, weightDecay = 0, maxNorm = Infinity } = settings;
  const norm = jointNorm(weights, gradients);
  const scale = norm > maxNorm ? maxNorm / (norm + 1e-6) : 1;
  const step = tensorOf(state, "step", 1)[0] + 1;
  const correction1 = 1 - beta1 ** step;
  const correction2 = Math.sqrt(1 - beta2 ** step);
  const nextWeights: Record<string, Weights[string]> = {};
  const nextState: Record<string, Weights[string]> = { step: { shape: [1], data: Float32Array.of(step) } };
  for (const [name, { shape, data }] of Object.entries(weights)) {
    const g = gradients[name].data;
    const rate = learningRate * (settings.rates?.[name] ?? 1);
    const stepSize = rate / correction1;
    const w = data.slice();
    const m = tensorOf(state, `m/${name}`, data.length).slice();
    const v = tensorOf(state, `v/${name}`, data.length).slice();
    for (let i = 0; i < w.length; i++) {
      const gi = g[i] * scale;
      m[i] = beta1 * m[i] + (1 - beta1) * gi;
      v[i] = beta2 * v[i] + (1 - beta2) * gi * gi;
      const decayed = w[i] * (1 - rate * weightDecay);
      w[i] = decayed - (stepSize * m[i]) / (Math.sqrt(v[i]) / correction2 + epsilon);
    }
    nextWeights[name] = { shape, data: w };
    nextState[`m/${name}`] = { shape, data: m };
    nextState[`v/${name}`] = { shape, data: v };
  }
  return { weights: nextWeights, state: nextState, norm };
}

function jointNorm(weights: Weights, gradients: Weights): number {
  let squares = 0;
  for (const name of Object.keys(weights)) {
    let own = 0;
    for (const g of gradients[name].data) own += g * g;
    if (!Number.isFinite(own)) {
      throw new ColloquyError("adam/gradient", `the gradient of "${name}" is not finite`, {
        hint: "The loss is infinite or undefined for this batch. Lower the learning rate, or look at the batch's rewards.",
      });
    }
    squares += own;
  }
  return Math.sqrt(squares);
}

function tensorOf(state: AdamState, name: string, length: number): Float32Array {
  const found = state[name];
  if (found?.data.length !== length) {
    throw new ColloquyError(
      "adam/state",
      `the optimiser's state does not fit: "${name}" should hold ${length} numbers, found ${found ? found.data.length : "none"}`,
      { hint: "Resume with the network configuration the run was started with." },
    );
  }
  return found.data;
}
