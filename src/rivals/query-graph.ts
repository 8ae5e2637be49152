import type { Rng } from "../base/rng.ts";
import { hashText } from "../behaviour/hashing.ts";
import type { Embedding } from "../contracts/agent.ts";
import type { Observation, Weights } from "../contracts/policy.ts";
import { likelyEdges, listPairs, startLogit } from "./edge-draws.ts";
import { type EdgeModel, edgeLearner, withEveryone } from "./edge-learner.ts";
import type { Rival } from "./rival.ts";
import { saidOf } from "./said-of.ts";

/** K: size of an agent's embedding. */
const rank = 8;
/** Places of hashed words: of a role, and of the question. */
const rolePlaces = 64;
const queryPlaces = 256;
/** Deviation of the weights at the start: small, so that all edges begin near the probability of the bias. */
const spread = 0.3;

/**
 * The logit of i → j under the question q is b + z_i · W z_j, with z_i = tanh(A e_i + R r_i + Q q): e_i the agent's number as
 * a one-hot vector, which tells apart agents of equal roles, r_i the hashed words of its role, q those of the question. W is
 * not symmetric, so the two directions of a pair differ. Weights: `bias` [1], `pair` W [K, K], `agent` A [N, K], `role` R and
 * `query` Q [places, K], about 2,700 numbers for six agents.
 */
export const queryModel: EdgeModel = {
  name: "query-graph",
  summary: "edges from embeddings of agent, role and question, by REINFORCE (as G-Designer)",
  // A tenth of a table's: one weight has a say in many logits.
  learningRate: 0.01,

  begin({ agents }, rng) {
    return {
      bias: { shape: [1], data: Float32Array.of(startLogit(agents)) },
      pair: random([rank, rank], rng.fork("pair")),
      agent: random([agents, rank], rng.fork("agent")),
      role: random([rolePlaces, rank], rng.fork("role")),
      query: random([queryPlaces, rank], rng.fork("query")),
    };
  },

  logits(weights, observation) {
    const { agents } = observation;
    const codesNK = encode(weights, readInputs(observation), agents);
    const W = weights.pair.data;
    const spatialNN = new Float64Array(agents * agents);
    for (const [i, j] of listPairs(agents)) {
      let logit = weights.bias.data[0];
      for (let a = 0; a < rank; a++) {
        for (let b = 0; b < rank; b++) logit += codesNK[i * rank + a] * W[a * rank + b] * codesNK[j * rank + b];
      }
      spatialNN[i * agents + j] = logit;
    }
    return { spatialNN };
  },

  backpropagate(weights, observation, { spatialNN }, gradients) {
    const { agents } = observation;
    const inputs = readInputs(observation);
    const codesNK = encode(weights, inputs, agents);
    const W = weights.pair.data;
    const onCodesNK = new Float64Array(agents * rank);
    for (const [i, j] of listPairs(agents)) {
      const slope = spatialNN[i * agents + j];
      gradients.bias[0] += slope;
      for (let a = 0; a < rank; a++) {
        for (let b = 0; b < rank; b++) {
          const [from, to] = [i * rank + a, j * rank + b];
          gradients.pair[a * rank + b] += slope * codesNK[from] * codesNK[to];
          onCodesNK[from] += slope * W[a * rank + b] * codesNK[to];
          onCodesNK[to] += slope * W[a * rank + b] * codesNK[from];
        }
      }
    }
    for (let i = 0; i < agents; i++) {
      // Through tanh, whose slope is 1 − z².
      const onSumK = Float64Array.from({ length: rank }, (_, k) => {
        const code = codesNK[i * rank + k];
        return onCodesNK[i * rank + k] * (1 - code * code);
      });
      for (let k = 0; k < rank; k++) gradients.agent[i * rank + k] += onSumK[k];
      spreadBack(inputs.rolesN[i], onSumK, gradients.role);
      spreadBack(inputs.query, onSumK, gradients.query);
    }
  },

  settle: ({ spatialNN }, observation) => ({
    ...withEveryone(observation),
    proposal: { edges: likelyEdges(spatialNN, observation.agents) },
  }),
};

/**
 * Edges that depend on the question, from learned embeddings of agents, roles and question (G-Designer). Ours: hashed words
 * in place of a sentence model, a bilinear form in place of a graph autoencoder, plain REINFORCE without its sparsity terms.
 */
export const queryGraph: Rival = edgeLearner(queryModel);

interface Inputs {
  readonly rolesN: readonly Embedding[];
  readonly query: Embedding;
}

function readInputs(observation: Observation): Inputs {
  const { rolesN, query } = saidOf(observation, "query-graph");
  return {
    rolesN: rolesN.map((role) => hashText(role, rolePlaces, "words")),
    query: hashText(query, queryPlaces, "words"),
  };
}

/** z, N×K. */
function encode({ agent, role, query }: Weights, inputs: Inputs, agents: number): Float64Array {
  const codesNK = Float64Array.from(agent.data.subarray(0, agents * rank));
  const queryK = new Float64Array(rank);
  addProduct(queryK, 0, inputs.query, query.data);
  for (let i = 0; i < agents; i++) {
    addProduct(codesNK, i * rank, inputs.rolesN[i], role.data);
    for (let k = 0; k < rank; k++) codesNK[i * rank + k] = Math.tanh(codesNK[i * rank + k] + queryK[k]);
  }
  return codesNK;
}

/** Adds Σ_p x_p · table[p] to the K numbers of `into` from `begin` on. Hashed texts are sparse. */
function addProduct(into: Float64Array, begin: number, { indices, values }: Embedding, table: Float32Array): void {
  indices?.forEach((place, p) => {
    for (let k = 0; k < rank; k++) into[begin + k] += values[p] * table[place * rank + k];
  });
}

/** The other way: adds x_p · slopes to row p of a table's gradient. */
function spreadBack({ indices, values }: Embedding, slopesK: Float64Array, gradient: Float64Array): void {
  indices?.forEach((place, p) => {
    for (let k = 0; k < rank; k++) gradient[place * rank + k] += values[p] * slopesK[k];
  });
}

function random(shape: readonly number[], rng: Rng): Weights[string] {
  const size = shape.reduce((product, length) => product * length, 1);
  return { shape, data: Float32Array.from({ length: size }, () => spread * rng.normal()) };
}
