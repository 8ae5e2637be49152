import { createRng, type Rng } from "../base/rng.ts";
import type { PolicyManifest } from "../checkpoint/manifest.ts";
import type { Weights } from "../contracts/policy.ts";
import { networks, type TensorFlow } from "../nets/index.ts";
import { threshold } from "../runtime/decide.ts";
import { type ParityDecision, type ParityFile, parityObservation, paritySchema } from "../runtime/parity.ts";

/** What is recorded: few enough for a small file, enough to notice a damaged one. */
const sequences = 4;
const agents = 6;
const rounds = 3;
const wordsHeard = 24;

/**
 * Records observations drawn from a seed and what the network (on TensorFlow, not the runtime) makes of them. The runtime
 * plays them again when it loads the policy.
 */
export function recordParity(tf: TensorFlow, manifest: PolicyManifest, weights: Weights): ParityFile {
  const rng = createRng("parity");
  return {
    schema: paritySchema,
    agents,
    sequences: Array.from({ length: sequences }, (_, s) => recordSequence(tf, manifest, weights, rng.fork(s))),
  };
}

function recordSequence(tf: TensorFlow, manifest: PolicyManifest, weights: Weights, rng: Rng): ParityDecision[] {
  const { network: config, decision } = manifest;
  const drawn = Array.from({ length: rounds }, (_, t) => drawObservation(manifest, t + 2, rng.fork(t)));
  const observations = drawn.map((record) =>
    parityObservation({ ...record, credits: [], participants: [] }, agents, config.embedding),
  );
  const { fromWeights, forward, dispose } = networks[config.kind];
  const network = fromWeights(tf, config, weights);
  try {
    const credits = tf.tidy(() => {
      const both = forward(network, {
        steps: rounds,
        rows: agents,
        agents,
        embeddings: observations.flatMap(({ embeddingsN }) => embeddingsN),
        scalarsTRS: Float32Array.from(observations.flatMap(({ scalarsNS }) => Array.from(scalarsNS))),
      });
      return { communicate: both.communicate.arraySync(), decide: both.decide.arraySync() };
    });
    return drawn.map((record, t) => {
      const creditsN = credits[record.head][t];
      const { eligibleN, forcedN } = observations[t];
      return {
        ...record,
        credits: creditsN,
        participants: Array.from(threshold(creditsN, eligibleN, forcedN, decision)),
      };
    });
  } finally {
    dispose(network);
  }
}

function drawObservation(
  { network, decision }: PolicyManifest,
  round: number,
  rng: Rng,
): Omit<ParityDecision, "credits" | "participants"> {
  const { embedding: dimension, scalars } = network;
  return {
    round,
    // Where there is no vote, nobody has learned to decide.
    head: round <= rounds || decision.voters === undefined ? "communicate" : "decide",
    scalars: Array.from({ length: agents * scalars.length }, () => toFloat32(rng.uniform())),
    embeddings: Array.from({ length: agents }, () => {
      if (dimension === 0) return null;
      const places = new Set(Array.from({ length: Math.min(wordsHeard, dimension) }, () => rng.integer(dimension)));
      const sorted = [...places].sort((a, b) => a - b);
      return [sorted, sorted.map(() => toFloat32(rng.normal() / Math.sqrt(sorted.length)))] as const;
    }),
  };
}

const toFloat32 = (value: number): number => Math.fround(value);
