import { ColloquyError } from "../base/errors.ts";
import type { Embedding } from "../contracts/agent.ts";
import { type NetworkConfig, type Observation, type Weights, weightShapes } from "../contracts/policy.ts";
import { gruCell, layerCell } from "./cells.ts";

/** The credit network without TensorFlow: one decision at a time. It holds weights and scratch, no state of episodes. */
export interface ForwardPass {
  readonly config: NetworkConfig;
  /**
   * Credits c of the observation's head, N. `hiddenNH` (N·H, zeros before the first decision) moves on in place; a network
   * without memory leaves it as it is.
   */
  step(observation: Observation, hiddenNH: Float32Array): Float32Array;
  /** The same with the credits of both heads (one array twice with shared heads). */
  bothHeads(observation: Observation, hiddenNH: Float32Array): { communicateN: Float32Array; decideN: Float32Array };
}

/**
 * Makes the forward pass of a policy: h = GRU(h, [W_e e ; s]), c = κ tanh((w·h + b)/κ), or h = tanh(W [W_e e ; s] + b) for
 * one without memory; see `nets/credit-gru.ts` and `nets/credit-mlp.ts`, with which it agrees to 1e-5. Embeddings cost their
 * non-zeros only. Steady state allocates nothing but the result.
 * @throws ColloquyError `forward/weights` naming tensor, expected and found shape; later `forward/observation` when an
 * observation does not fit, `forward/not-finite` when a credit is no number
 */
export function createForward(config: NetworkConfig, weights: Weights): ForwardPass {
  const { embedding: D, hidden: H, clamp } = config;
  const S = config.scalars.length;
  const P = D > 0 ? config.projection : 0;
  const F = P + S;
  const hasContext = config.context === "team";
  const shapes = weightShapes(config);
  const take = (name: string): Float32Array => tensor(weights, name, shapes[name]);
  // Places of the projection come in fours, the last ones empty.
  const P4 = 4 * Math.ceil(P / 4);
  const projectionDP4 = D > 0 ? transpose(take("embed.weight"), P, D, P4) : new Float32Array(0);
  const remembers = config.kind === "credit-gru";
  const moveHidden = remembers ? gruCell(take, H) : layerCell(take, H);
  const head = (name: string) => ({ weight: take(`${name}.weight`), bias: take(`${name}.bias`)[0] });
  const communicate = head("communicate");
  const decide = config.heads === "shared" ? communicate : head("decide");

  const projected = new Float64Array(P4);
  const x = new Float64Array(hasContext ? 2 * F : F);
  // f of all agents, for the team's mean; grows to the largest team seen.
  let inputsNF = new Float64Array(0);
  // Hidden units of a decision that nothing is remembered of.
  let passingNH = new Float32Array(0);

  /** f = [W_e e ; s] of one agent, into `out` from place `at`. */
  const readInput = (
    embedding: Embedding | null,
    scalarsNS: Float32Array,
    agent: number,
    out: Float64Array,
    at: number,
  ): void => {
    projected.fill(0);
    if (embedding && D > 0) project(projectionDP4, D, embedding, agent, projected);
    for (let p = 0; p < P; p++) out[at + p] = projected[p];
    for (let s = 0; s < S; s++) out[at + P + s] = scalarsNS[agent * S + s];
  };

  /** Inputs of all agents, and their mean into the second half of x. */
  const readTeam = ({ agents, embeddingsN, scalarsNS }: Observation): void => {
    if (inputsNF.length < agents * F) inputsNF = new Float64Array(agents * F);
    x.fill(0, F);
    for (let agent = 0; agent < agents; agent++) {
      readInput(embeddingsN[agent], scalarsNS, agent, inputsNF, agent * F);
      for (let i = 0; i < F; i++) x[F + i] += inputsNF[agent * F + i] / agents;
    }
  };

  const creditsOf = ({ weight, bias }: typeof communicate, hiddenNH: Float32Array, agents: number): Float32Array => {
    const creditsN = new Float32Array(agents);
    for (let agent = 0; agent < agents; agent++) {
      let x = bias;
      for (let j = 0; j < H; j++) x += weight[j] * hiddenNH[agent * H + j];
      creditsN[agent] = clamp * Math.tanh(x / clamp);
      if (Number.isNaN(creditsN[agent])) {
        throw new ColloquyError("forward/not-finite", `the credit of agent ${agent} is not a number`, {
          hint: "Some feature of this agent is NaN or infinite.",
        });
      }
    }
    return creditsN;
  };

  /** Reads the observation. @returns the hidden units, N·H */
  const advance = (observation: Observation, memoryNH: Float32Array): Float32Array => {
    checkObservation(observation, memoryNH, S, H);
    if (!remembers && passingNH.length < memoryNH.length) passingNH = new Float32Array(memoryNH.length);
    const hiddenNH = remembers ? memoryNH : passingNH;
    if (hasContext) readTeam(observation);
    for (let agent = 0; agent < observation.agents; agent++) {
      if (hasContext) for (let i = 0; i < F; i++) x[i] = inputsNF[agent * F + i];
      else readInput(observation.embeddingsN[agent], observation.scalarsNS, agent, x, 0);
      moveHidden(x, hiddenNH, agent * H);
    }
    return hiddenNH;
  };

  return {
    config,
    step(observation, memoryNH) {
      const hiddenNH = advance(observation, memoryNH);
      return creditsOf(observation.head === "decide" ? decide : communicate, hiddenNH, observation.agents);
    },
    bothHeads(observation, memoryNH) {
      const hiddenNH = advance(observation, memoryNH);
      const communicateN = creditsOf(communicate, hiddenNH, observation.agents);
      const decideN = decide === communicate ? communicateN : creditsOf(decide, hiddenNH, observation.agents);
      return { communicateN, decideN };
    },
  };
}

/** out = W_e e, four places at a time. */
function project(
  weightDP4: Float32Array,
  D: number,
  { dimension, indices, values }: Embedding,
  agent: number,
  out: Float64Array,
): void {
  if (dimension !== D || (indices ? indices.length !== values.length : values.length !== D)) {
    throw misfit(`the embedding of agent ${agent}`, D, dimension);
  }
  if (indices) checkIndices(indices, D, agent);
  const width = out.length;
  for (let p = 0; p < width; p += 4) {
    let sumA = 0;
    let sumB = 0;
    let sumC = 0;
    let sumD = 0;
    for (let k = 0; k < values.length; k++) {
      const value = values[k];
      const place = (indices ? indices[k] : k) * width + p;
      sumA += value * weightDP4[place];
      sumB += value * weightDP4[place + 1];
      sumC += value * weightDP4[place + 2];
      sumD += value * weightDP4[place + 3];
    }
    out[p] = sumA;
    out[p + 1] = sumB;
    out[p + 2] = sumC;
    out[p + 3] = sumD;
  }
}

function checkIndices(indices: Int32Array, D: number, agent: number): void {
  for (let k = 0; k < indices.length; k++) {
    if (indices[k] >= 0 && indices[k] < D) continue;
    throw misfit(`an embedding index of agent ${agent}`, `below ${D}`, indices[k]);
  }
}

/** The transposed matrix, its rows filled up with zeros to `width`. */
function transpose(matrix: Float32Array, rows: number, columns: number, width: number): Float32Array {
  const result = new Float32Array(columns * width);
  for (let r = 0; r < rows; r++) for (let c = 0; c < columns; c++) result[c * width + r] = matrix[r * columns + c];
  return result;
}

function checkObservation(
  { agents, scalarsNS, embeddingsN }: Observation,
  hiddenNH: Float32Array,
  S: number,
  H: number,
) {
  if (scalarsNS.length !== agents * S) throw misfit("the number of scalars", `${agents} × ${S}`, scalarsNS.length);
  if (embeddingsN.length !== agents) throw misfit("the number of embeddings", agents, embeddingsN.length);
  if (hiddenNH.length !== agents * H) throw misfit("the size of the hidden state", `${agents} × ${H}`, hiddenNH.length);
}

const misfit = (what: string, expected: number | string, found: number): ColloquyError =>
  new ColloquyError(
    "forward/observation",
    `the observation does not fit the policy: ${what} should be ${expected}, is ${found}`,
    {
      hint: "Use the environment and the embedder that the policy's config names.",
    },
  );

function tensor(weights: Weights, name: string, shape: readonly number[]): Float32Array {
  const found = Object.hasOwn(weights, name) ? weights[name] : undefined;
  const size = shape.reduce((product, n) => product * n, 1);
  if (found && found.shape.join() === shape.join() && found.data.length === size) return found.data;
  throw new ColloquyError(
    "forward/weights",
    `weights do not fit the policy: "${name}" should be [${shape.join(", ")}], found ${found ? `[${found.shape.join(", ")}]` : "nothing"}`,
    { hint: "The weights belong to another config. Take config and weights from one policy folder." },
  );
}
