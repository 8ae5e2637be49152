import type * as tfjs from "@tensorflow/tfjs";
import { ColloquyError } from "../base/errors.ts";
import type { Rng } from "../base/rng.ts";
import type { Embedding } from "../contracts/agent.ts";
import { type NetworkConfig, type Weights, weightShapes } from "../contracts/policy.ts";
import type { TensorFlow } from "./backend.ts";
import { linear } from "./linear.ts";
import { type Dropout, projectEmbeddings } from "./project-embeddings.ts";

/*
 * The credit network of TodyComm: for every agent i and every decision t = 2..T+1
 *
 *     h_i^t = GRU(h_i^{t-1}, f_i^t)        h_i^1 = 0 [ours]
 *     c_i^t = MLP(h_i^t)
 *
 * with weights shared by all agents. Here f_i^t = [W_e e_i^t ; s_i^t]: a learned linear map of the behaviour embedding
 * e (D → P; no bias, the GRU's own absorbs it) beside the S scalar features s [ours]. The MLP is one linear layer a head:
 * `communicate` for rounds 2..T, `decide` for the vote, or one for both (`heads: "shared"`, as the paper has it).
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
 * Fresh weights, as PyTorch draws them: uniform in ±1/√H, and ±1/√D for the projection. The small projection matters:
 * words never met in training keep their first weights, and these are noise on new questions.
 */
export function initialWeights(config: NetworkConfig, rng: Rng): Weights {
  return Object.fromEntries(
    Object.entries(weightShapes(config)).map(([name, shape]) => {
      const stream = rng.fork(name);
      const bound = 1 / Math.sqrt(name === "embed.weight" ? config.embedding : config.hidden);
      const data = Float32Array.from({ length: sizeOf(shape) }, () => bound * (2 * stream.uniform() - 1));
      return [name, { shape, data }];
    }),
  );
}

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

/**
 * The credits of a batch. Differentiable in all parameters; call it inside `tf.tidy` or `lossGradients`.
 * @param dropout on the embeddings, in training only
 */
export function forward(network: CreditNetwork, batch: CreditBatch, dropout?: Dropout): Credits {
  const { tf, config } = network;
  const { steps: T, rows: R } = batch;
  const H = config.hidden;
  const θ = network.parameters as Readonly<Record<string, tfjs.Variable & tfjs.Tensor2D & tfjs.Tensor1D>>;

  // f = [W_e e ; s] for all steps at once (beside it the team's mean), and with it the input's half of the gates.
  const parts: tfjs.Tensor2D[] = [];
  if (config.embedding > 0) parts.push(projectEmbeddings(tf, θ["embed.weight"], batch.embeddings, dropout));
  if (config.scalars.length > 0) parts.push(tf.tensor2d(batch.scalarsTRS, [T * R, config.scalars.length]));
  const own = parts.length === 1 ? parts[0] : tf.concat(parts, 1);
  const f = config.context === "team" ? withTeamMean(tf, own, batch.agents ?? R) : own;
  const gatesOfInput = linear(tf, f, θ["gru.weight_ih"], θ["gru.bias_ih"]);

  let h: tfjs.Tensor2D = tf.zeros([R, H]);
  const hidden: tfjs.Tensor2D[] = [];
  for (let t = 0; t < T; t++) {
    const [rIn, zIn, nIn] = tf.split(tf.slice(gatesOfInput, [t * R, 0], [R, 3 * H]), 3, 1);
    const [rOwn, zOwn, nOwn] = tf.split(linear(tf, h, θ["gru.weight_hh"], θ["gru.bias_hh"]), 3, 1);
    // Reset-after form: r gates the product with W_hn, not h itself (PyTorch, ONNX `linear_before_reset = 1`).
    const r = tf.sigmoid(tf.add(rIn, rOwn));
    const z = tf.sigmoid(tf.add(zIn, zOwn));
    const n = tf.tanh(tf.add(nIn, tf.mul(r, nOwn)));
    h = tf.add(n, tf.mul(z, tf.sub(h, n))); // (1 − z) n + z h
    hidden.push(h);
  }

  // A smooth clamp, κ tanh(x/κ): it rises strictly, so its gradient never dies and the order of the credits, which
  // draws the graph, survives where a hard clamp would tie them.
  const κ = config.clamp;
  const all = tf.concat(hidden, 0);
  const credits = (head: string): tfjs.Tensor2D => {
    const x = linear(tf, all, θ[`${head}.weight`], θ[`${head}.bias`]);
    return tf.reshape(tf.mul(tf.tanh(tf.div(x, κ)), κ), [T, R]);
  };
  const communicate = credits("communicate");
  return { communicate, decide: config.heads === "shared" ? communicate : credits("decide") };
}

/** [f_i ; mean_j f_j] over the N agents of each episode. */
function withTeamMean(tf: TensorFlow, f: tfjs.Tensor2D, agents: number): tfjs.Tensor2D {
  const [rows, width] = f.shape;
  const mean = tf.mean(tf.reshape(f, [rows / agents, agents, width]), 1, true);
  return tf.concat([f, tf.reshape(tf.tile(mean, [1, agents, 1]), [rows, width]) as tfjs.Tensor2D], 1);
}

function checkShapes(config: NetworkConfig, weights: Weights): void {
  for (const [name, shape] of Object.entries(weightShapes(config))) {
    const found = weights[name];
    const fits = found?.shape.join() === shape.join() && found.data.length === sizeOf(shape);
    if (!fits) {
      throw new ColloquyError(
        "network/weights",
        `weights do not fit the network: "${name}" should be [${shape.join(", ")}], found ${found ? `[${found.shape.join(", ")}]` : "nothing"}`,
        { hint: "The checkpoint was made with another network configuration. Use the one it was made with." },
      );
    }
  }
}

const sizeOf = (shape: readonly number[]): number => shape.reduce((product, size) => product * size, 1);
