import { createRng, type Rng } from "../../base/rng.ts";
import type { Embedding } from "../../contracts/agent.ts";
import { drawNormals, normalQuantile } from "./normal.ts";
import type { SimulationSettings } from "./settings.ts";

/** All that the embedding of an utterance is made of. */
export interface Speech {
  /** Index of the option it says. */
  readonly answer: number;
  readonly round: number;
  readonly isAdversarial: boolean;
  /** From -1 to 1. */
  readonly competence: number;
  readonly rng: Rng;
}

/** Gives the embeddings of utterances about one question. */
export type Voice = (speech: Speech) => Embedding;

/**
 * Makes the voices of a population. An embedding is unit noise, plus a part shared by all who speak about the question,
 * plus one shared by all who give the same answer, plus, in an adversarial utterance of round t, a shift of
 * √2 Φ⁻¹(AUC_t) along one direction. The other parts are orthogonal to that direction, so no linear probe beats it and
 * its AUC is the stated one. The sum is divided by √D: that leaves the AUC alone and gives vectors of about unit length.
 */
export function createVoices(settings: SimulationSettings): (facts: Rng) => Voice {
  const { embeddingDimension: dimension, questionTrace, answerTrace, competenceTrace } = settings;
  const scale = 1 / Math.sqrt(dimension);
  const directions = createRng(settings.seed).fork("directions");
  const betrayal = adversarialDirection(settings);
  const drawTrace = (rng: Rng, length: number): Float32Array => {
    const trace = drawNormals(dimension, rng);
    subtract(trace, betrayal, dot(trace, betrayal));
    return stretch(trace, length * scale);
  };
  const shifts = settings.signal.map((auc) => Math.SQRT2 * normalQuantile(auc) * scale);
  const competenceDirection = drawTrace(directions.fork("competence"), competenceTrace);
  const answerDirections: Float32Array[] = [];

  return (facts) => {
    const question = drawTrace(facts.fork("embedding"), questionTrace);
    return ({ answer, round, isAdversarial, competence, rng }) => {
      answerDirections[answer] ??= drawTrace(directions.fork("answer", answer), answerTrace);
      const spoken = answerDirections[answer];
      const shift = isAdversarial ? shifts[Math.min(round, shifts.length) - 1] : 0;
      const values = drawNormals(dimension, rng);
      for (let i = 0; i < dimension; i++) {
        const traces = question[i] + spoken[i] + competence * competenceDirection[i] + shift * betrayal[i];
        values[i] = values[i] * scale + traces;
      }
      return { dimension, values };
    };
  };
}

/** The unit vector along which adversarial utterances are shifted: for tests and for measuring what a policy could see. */
export function adversarialDirection(settings: SimulationSettings): Float32Array {
  const rng = createRng(settings.seed).fork("directions", "adversarial");
  return stretch(drawNormals(settings.embeddingDimension, rng), 1);
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}

function subtract(a: Float32Array, b: Float32Array, times: number): void {
  for (let i = 0; i < a.length; i++) a[i] -= times * b[i];
}

/** Brings a vector to the given length. */
function stretch(a: Float32Array, length: number): Float32Array {
  const factor = length / Math.sqrt(dot(a, a));
  return a.map((value) => value * factor);
}
