import { createRng, type Rng } from "../../src/base/rng.ts";
import { defaultFeatures, hashingEmbedder } from "../../src/behaviour/index.ts";
import { manifestSchema } from "../../src/checkpoint/manifest.ts";
import type { Embedding } from "../../src/contracts/agent.ts";
import type { NetworkConfig, Observation } from "../../src/contracts/policy.ts";
import { initialWeights } from "../../src/nets/initial-weights.ts";
import { createForward } from "../../src/runtime/forward.ts";
import { createSession, type LoadedPolicy, type SpokenUtterance } from "../../src/runtime/index.ts";
import { type Benchmark, growth, interleave, type Row } from "./measure.ts";

const sizes = [6, 100, 1_000];
const embedder = hashingEmbedder(2048);
const wordsPerUtterance = 100;

/** What a program pays for one decision of an exported policy. */
export const decision: Benchmark = {
  summary: `One decision of the runtime: take in a round of ${wordsPerUtterance}-word utterances, hash them to 2,048 places, decide who speaks and who hears whom (in 3, out 3).`,
  async run() {
    const rng = createRng("decision speed");
    const policy = freshPolicy(rng.fork("weights"));
    const works = Object.fromEntries(
      sizes.flatMap((agents) => {
        const spoken = [rng.fork(agents, "odd"), rng.fork(agents, "even")].map((stream) => speak(agents, stream));
        const embedded = spoken.map(embed);
        return [
          [`words ${agents}`, deciding(policy, spoken)],
          [`vectors ${agents}`, deciding(policy, embedded)],
          [`forward ${agents}`, passing(policy, embedded)],
        ];
      }),
    );
    const timesMs = await interleave(works, { runs: 21 });
    const of = (what: string) => sizes.map((agents) => timesMs[`${what} ${agents}`]);
    const note = "slope of log time over log N";
    const share = (name: string, partMs: number, wholeMs: number): Row => {
      return { name, value: (100 * partMs) / wholeMs, unit: "%", note: "of a decision from words" };
    };
    const rows: Row[] = [
      { name: "growth with N, from words", value: growth(sizes, of("words")), unit: "exponent", note },
      { name: "growth with N, from ready vectors", value: growth(sizes, of("vectors")), unit: "exponent", note },
    ];
    for (const agents of sizes) {
      const [words, vectors, forward] = ["words", "vectors", "forward"].map((what) => timesMs[`${what} ${agents}`]);
      rows.push(
        share(`N = ${agents}, hashing`, words - vectors, words),
        share(`N = ${agents}, forward pass`, forward, words),
        { name: `N = ${agents}, from words`, value: words, unit: "ms" },
        { name: `N = ${agents}, from ready vectors`, value: vectors, unit: "ms" },
        { name: `N = ${agents}, forward pass alone`, value: forward, unit: "ms" },
      );
    }
    return rows;
  },
};

function freshPolicy(rng: Rng): LoadedPolicy {
  const network: NetworkConfig = {
    kind: "credit-gru",
    embedding: embedder.dimension,
    projection: 32,
    scalars: defaultFeatures,
    hidden: 32,
    heads: "two",
    clamp: 6,
  };
  return {
    manifest: {
      schema: manifestSchema,
      name: "fresh",
      environment: "deliberation-v1",
      network,
      embedder: embedder.name,
      decision: {
        topology: "credit",
        budget: { in: 3, out: 3, depth: null },
        minimum: 1,
        cut: 0.5,
        voters: "participants",
      },
      training: { step: 0 },
    },
    forward: createForward(network, initialWeights(network, rng)),
  };
}

function speak(agents: number, rng: Rng): SpokenUtterance[] {
  return Array.from({ length: agents }, () => ({
    answer: rng.pick(["A", "B", "C", "D"]),
    text: Array.from({ length: wordsPerUtterance }, () => `word${rng.integer(5_000)}`).join(" "),
  }));
}

function embed(utterances: readonly SpokenUtterance[]): SpokenUtterance[] {
  const vectors = embedder.embed(utterances.map(({ text }) => text!)) as readonly Embedding[];
  return utterances.map(({ answer }, i) => ({ answer, embedding: vectors[i] }));
}

/** The next decision of a session that goes on and on, its rounds by turns the two given. */
function deciding(policy: LoadedPolicy, rounds: readonly SpokenUtterance[][]): () => unknown {
  const session = createSession(policy);
  let round = 0;
  return () => {
    session.observe(rounds[round++ % rounds.length]);
    return session.decide();
  };
}

function passing({ forward }: LoadedPolicy, [utterances]: readonly SpokenUtterance[][]): () => unknown {
  const agents = utterances.length;
  const { scalars, hidden } = forward.config;
  const observation: Observation = {
    agents,
    round: 2,
    head: "communicate",
    scalarsNS: new Float32Array(agents * scalars.length).fill(0.5),
    embeddingsN: utterances.map(({ embedding }) => embedding as Embedding),
    eligibleN: new Uint8Array(agents).fill(1),
    forcedN: new Uint8Array(agents),
  };
  const hiddenNH = new Float32Array(agents * hidden);
  return () => forward.bothHeads(observation, hiddenNH);
}
