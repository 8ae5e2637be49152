import type * as tfjs from "@tensorflow/tfjs";
import { ColloquyError } from "../base/errors.ts";
import type { Rng } from "../base/rng.ts";
import type { Embedding } from "../contracts/agent.ts";
import { type NetworkConfig, type Weights, weightShapes } from "../contracts/policy.ts";
import type { TensorFlow } from "./backend.ts";
import { initialWeights } from "./initial-weights.ts";
import { linear } from "./linear.ts";
import { type Dropout, projectEmbeddings } from "./project-embeddings.ts";

/*
 * What all credit networks share: variables and weights, the input f before the hidden units h, and the heads after them.
 * How h comes from f is the matter of each: `credit-gru.ts`, `credit-mlp.ts`.
 */

/** A credit network on TensorFlow.js, for training. The runtime has its own forward pass. */
export interface CreditNetwork {
  readonly tf: TensorFlow;
  readonly config: NetworkConfig;
  /** By name, in the order of `weightShapes`. */
  readonly parameters: Readonly<Record<string, tfjs.Variable>>;
}

/**
 * The inputs of R independent rows (agents of all episodes of a batch) over T steps. Row r of step t stands at t·R + r.
 * Steps that an episode does not have may hold anything: mask their credits.
 */
export interface CreditBatch {
  /** T. */
  readonly steps: number;
  /** R. */
  readonly rows: number;
  /** N: rows of one episode, which stand together. Needed with a team context only. */
  readonly agents?: number;
  /** T·R embeddings of dimension D; ignored when D = 0. */
  readonly embeddings: readonly (Embedding | null)[];
  /** T·R·S, row-major. */
  readonly scalarsTRS: Float32Array;
}

/** Credits of both heads at every step, [T, R]. With shared heads both are the same tensor. */
export interface Credits {
  readonly communicate: tfjs.Tensor2D;
  readonly decide: tfjs.Tensor2D;
}

/**
 * The credits of a batch. Differentiable in all parameters; called inside `tf.tidy` or `lossGradients`.
 * @param dropout on the embeddings, in training only
 */
export type Forward = (network: CreditNetwork, batch: CreditBatch, dropout?: Dropout) => Credits;

/** A network with fresh weights. Its variables live until `disposeNetwork`. */
export function createNetwork(tf: TensorFlow, config: NetworkConfig, rng: Rng): CreditNetwork {
  return networkFromWeights(tf, config, initialWeights(config, rng));
}

/** A network with the given weights. @throws ColloquyError `network/weights` when they do not fit the config */
export function networkFromWeights(tf: TensorFlow, config: NetworkConfig, weights: Weights): CreditNetwork {
  checkShapes(config, weights);
  const parameters = Object.fromEntries(
    Object.keys(weightShapes(config)).map((name) => {
      const { shape, data } = weights[name];
      // The name is left to TensorFlow: it is global there, and a process may hold two networks.
      return [name, tf.tidy(() => tf.variable(tf.tensor(data.slice(), [...shape]), true))];
    }),
  );
  return { tf, config, parameters };
}

/** A copy of the weights. */
export function networkWeights(network: CreditNetwork): Weights {
  return Object.fromEntries(
    Object.entries(network.parameters).map(([name, variable]) => [
      name,
      { shape: [...variable.shape], data: Float32Array.from(variable.dataSync()) },
    ]),
  );
}

/** Replaces the weights. @throws ColloquyError `network/weights` when they do not fit the config */
export function setNetworkWeights(network: CreditNetwork, weights: Weights): void {
  checkShapes(network.config, weights);
  const { tf } = network;
  for (const [name, variable] of Object.entries(network.parameters)) {
    tf.tidy(() => variable.assign(tf.tensor(weights[name].data.slice(), variable.shape)));
  }
}

export function disposeNetwork(network: CreditNetwork): void {
  for (const variable of Object.values(network.parameters)) variable.dispose();
}

/** A network's variables as tensors of the ranks they have; which has which, `weightShapes` says. */
export const tensorsOf = ({ parameters }: CreditNetwork) =>
  parameters as Readonly<Record<string, tfjs.Variable & tfjs.Tensor2D & tfjs.Tensor1D>>;

/** f = [W_e e ; s] of all rows and steps at once, beside it the team's mean where there is a context: [T·R, F]. */
export function inputOf(network: CreditNetwork, batch: CreditBatch, dropout?: Dropout): tfjs.Tensor2D {
  const { tf, config } = network;
  const { steps: T, rows: R } = batch;
  const parts: tfjs.Tensor2D[] = [];
  if (config.embedding > 0)
    parts.push(projectEmbeddings(tf, tensorsOf(network)["embed.weight"], batch.embeddings, dropout));
  if (config.scalars.length > 0) parts.push(tf.tensor2d(batch.scalarsTRS, [T * R, config.scalars.length]));
  const own = parts.length === 1 ? parts[0] : tf.concat(parts, 1);
  return config.context === "team" ? withTeamMean(tf, own, batch.agents ?? R) : own;
}

/** [f_i ; mean_j f_j] over the N agents of each episode. */
function withTeamMean(tf: TensorFlow, f: tfjs.Tensor2D, agents: number): tfjs.Tensor2D {
  const [rows, width] = f.shape;
  const mean = tf.mean(tf.reshape(f, [rows / agents, agents, width]), 1, true);
  return tf.concat([f, tf.reshape(tf.tile(mean, [1, agents, 1]), [rows, width]) as tfjs.Tensor2D], 1);
}

/**
 * c = κ tanh((w·h + b)/κ) for both heads, h [T·R, H]. The clamp is smooth: it rises strictly, so its gradient never dies and
 * the order of the credits, which draws the graph, survives where a hard clamp would tie them.
 */
export function creditsOf(network: CreditNetwork, h: tfjs.Tensor2D, { steps: T, rows: R }: CreditBatch): Credits {
  const { tf, config } = network;
  const θ = tensorsOf(network);
  const κ = config.clamp;
  const credits = (head: string): tfjs.Tensor2D => {
    const x = linear(tf, h, θ[`${head}.weight`], θ[`${head}.bias`]);
    return tf.reshape(tf.mul(tf.tanh(tf.div(x, κ)), κ), [T, R]);
  };
  const communicate = credits("communicate");
  return { communicate, decide: config.heads === "shared" ? communicate : credits("decide") };
}

function checkShapes(config: NetworkConfig, weights: Weights): void {
  for (const [name, shape] of Object.entries(weightShapes(config))) {
    const found = weights[name];
    const size = shape.reduce((product, length) => product * length, 1);
    const fits = found?.shape.join() === shape.join() && found.data.length === size;
    if (!fits) {
      throw new ColloquyError(
        "network/weights",
        `weights do not fit the network: "${name}" should be [${shape.join(", ")}], found ${found ? `[${found.shape.join(", ")}]` : "nothing"}`,
        { hint: "The checkpoint was made with another network configuration. Use the one it was made with." },
      );
    }
  }
}
