import type * as tfjs from "@tensorflow/tfjs";
import { ColloquyError } from "../base/errors.ts";
import type { Weights } from "../contracts/policy.ts";
import {
  type AdamState,
  adamStep,
  type CreditNetwork,
  type Credits,
  type Dropout,
  lossGradients,
  networks,
} from "../nets/index.ts";
import type { Batch } from "./batch.ts";
import { decisionLoss } from "./decision-loss.ts";
import { orderLoss } from "./order-loss.ts";
import type { Part } from "./parts.ts";
import { clippedLoss, decisionLogProbabilities, meanEntropy, reinforceLoss, spokenCredits } from "./reinforce.ts";
import type { TrainSettings } from "./settings.ts";
import { toTensors } from "./tensors.ts";
import { keepSilence } from "./vocabulary.ts";

/** What one update weighs; 0 switches a term off. */
export interface Terms {
  readonly reinforce: number;
  readonly decisionLoss: number;
  readonly entropy: number;
  /** Factor on the learning rate at this update. */
  readonly rate: number;
}

export interface UpdateResult {
  readonly state: AdamState;
  readonly loss: number;
  readonly gradientNorm: number;
  readonly entropy: number;
  /** Times the batch was used; below `reuse.epochs` where the policy had moved too far from the one that sampled it. */
  readonly epochs: number;
}

/** The credits of a batch by the network's own kind. */
const forward = (network: CreditNetwork, batch: Batch, dropout?: Dropout): Credits =>
  networks[network.config.kind].forward(network, inputOf(batch), dropout);

/** Largest difference allowed between a credit as the rollout computed it and as the network does. */
const paritySlack = 1e-4;

/** Steps of Adam on one batch. A batch without signal (all advantages and terms 0) leaves the weights as they are. */
export function update(
  network: CreditNetwork,
  parts: readonly Part[],
  terms: Terms,
  settings: TrainSettings,
  state: AdamState,
  dropoutSeed: number,
): UpdateResult {
  let result: UpdateResult = { state, loss: 0, gradientNorm: 0, entropy: 0, epochs: 0 };
  for (let epoch = 0; epoch < settings.reuse.epochs; epoch++) {
    if (epoch > 0 && effectiveShare(network, parts) < settings.reuse.minimumEffectiveShare) break;
    const dropout = settings.dropout > 0 ? { rate: settings.dropout, seed: dropoutSeed + epoch } : undefined;
    const { loss, gradients, entropy } = addUp(
      parts.map((part) => ({ ...differentiate(network, part, terms, settings, dropout), share: part.share })),
    );
    result = { ...result, loss, entropy, epochs: epoch + 1 };
    if (isZero(gradients)) return result;
    const { weights, setWeights } = networks[network.config.kind];
    const before = weights(network);
    const step = adamStep(before, gradients, result.state, {
      learningRate: settings.learningRate * terms.rate,
      rates: { "embed.weight": settings.embeddingRate },
      weightDecay: settings.weightDecay,
      maxNorm: settings.clipNorm,
    });
    setWeights(network, keepSilence(before, step.weights));
    result = { ...result, state: step.state, gradientNorm: step.norm };
  }
  return result;
}

interface Slope {
  readonly loss: number;
  readonly gradients: Weights;
  readonly entropy: number;
}

/** Of one part as it is, of several the sum by their shares. */
function addUp(slopes: readonly (Slope & { readonly share: number })[]): Slope {
  if (slopes.length === 1) return slopes[0];
  const total = (of: (slope: Slope) => number): number => slopes.reduce((sum, s) => sum + s.share * of(s), 0);
  const gradients = Object.entries(slopes[0].gradients).map(([name, { shape, data }]) => [
    name,
    { shape, data: data.map((_, k) => total((slope) => slope.gradients[name].data[k])) },
  ]);
  return {
    loss: total(({ loss }) => loss),
    entropy: total(({ entropy }) => entropy),
    gradients: Object.fromEntries(gradients),
  };
}

function differentiate(
  network: CreditNetwork,
  { batch, orders, advantages }: Part,
  terms: Terms,
  settings: TrainSettings,
  dropout: Dropout | undefined,
): Slope {
  const { tf } = network;
  let entropy = 0;
  const { loss, gradients } = lossGradients(network, () => {
    const tensors = toTensors(tf, batch, advantages);
    const credits = forward(network, batch, dropout);
    const spoken = spokenCredits(tf, credits, tensors);
    const uncertainty = meanEntropy(tf, spoken, tensors);
    entropy = uncertainty.dataSync()[0];
    const policy =
      settings.reuse.epochs > 1
        ? clippedLoss(tf, spoken, tensors, batch.episodes, settings.reuse.clip)
        : reinforceLoss(tf, spoken, tensors, batch.episodes);
    // A term of weight 0 is multiplied away, so that an undefined one could not pass unseen.
    return tf.addN([
      tf.mul(tf.add(policy, orderLoss(tf, credits.decide, batch, orders, advantages)), terms.reinforce),
      tf.mul(decisionLoss(tf, credits.decide, tensors, batch.episodes), terms.decisionLoss),
      tf.mul(uncertainty, -terms.entropy),
    ]) as tfjs.Scalar;
  });
  return { loss, gradients, entropy };
}

/** Effective sample size of the batch under the current policy, as a share of its episodes. */
function effectiveShare(network: CreditNetwork, parts: readonly Part[]): number {
  const sums = parts.map((part) => sumWeights(network, part));
  const total = (of: (part: (typeof sums)[number]) => number): number => sums.reduce((sum, part) => sum + of(part), 0);
  return total(({ sum }) => sum) ** 2 / total(({ squares }) => squares) / total(({ episodes }) => episodes);
}

/** Importance weights of a part's episodes under the current policy, summed. */
function sumWeights(
  network: CreditNetwork,
  { batch, advantages }: Part,
): { readonly sum: number; readonly squares: number; readonly episodes: number } {
  const { tf } = network;
  return tf.tidy(() => {
    const tensors = toTensors(tf, batch, advantages);
    const spoken = spokenCredits(tf, forward(network, batch), tensors);
    const shift = tf.sub(
      decisionLogProbabilities(tf, spoken, tensors, batch.episodes),
      tensors.sampledLogProbabilities,
    );
    const weights = tf.exp(tf.sum(shift, 0));
    const [sum] = tf.sum(weights).dataSync();
    const [squares] = tf.sum(tf.square(weights)).dataSync();
    return { sum, squares, episodes: batch.episodes };
  });
}

/**
 * Compares every credit of the batch, with dropout off, with the one its rollout decided by.
 * @throws ColloquyError `train/parity` where they differ by more than 1e-4: the two networks are not the same
 */
export function checkParity(network: CreditNetwork, batch: Batch): number {
  const { tf } = network;
  const worst = tf.tidy(() => {
    const credits = forward(network, batch);
    const decides = tf.tensor2d(batch.decides, credits.decide.shape);
    const spoken = tf.add(tf.mul(decides, credits.decide), tf.mul(tf.sub(1, decides), credits.communicate));
    const present = tf.tensor2d(batch.present, credits.decide.shape);
    const rolledOut = tf.tensor2d(batch.credits, credits.decide.shape);
    return tf.max(tf.mul(present, tf.abs(tf.sub(spoken, rolledOut)))).dataSync()[0];
  });
  if (!(worst <= paritySlack)) {
    throw new ColloquyError(
      "train/parity",
      `rollouts and the network disagree on a credit by ${worst} (allowed: ${paritySlack})`,
      {
        hint: "The policy being trained is not the one that plays. Try another backend (backend: cpu) and report this.",
      },
    );
  }
  return worst;
}

const inputOf = (batch: Batch) => ({
  steps: batch.decisions,
  rows: batch.episodes * batch.agents,
  agents: batch.agents,
  embeddings: batch.embeddings,
  scalarsTRS: batch.scalars,
});

const isZero = (gradients: Weights): boolean =>
  Object.values(gradients).every(({ data }) => data.every((value) => value === 0));
