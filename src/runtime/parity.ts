import { ColloquyError } from "../base/errors.ts";
import type { PolicyManifest } from "../checkpoint/manifest.ts";
import type { Embedding } from "../contracts/agent.ts";
import type { Head, Observation } from "../contracts/policy.ts";
import { threshold } from "./decide.ts";
import type { ForwardPass } from "./forward.ts";

export const paritySchema = "colloquy.parity/1";

/** One recorded decision. Embeddings are `[places, values]`. */
export interface ParityDecision {
  readonly round: number;
  readonly head: Head;
  readonly scalars: readonly number[];
  readonly embeddings: readonly (readonly [readonly number[], readonly number[]] | null)[];
  readonly credits: readonly number[];
  readonly participants: readonly number[];
}

/** `parity.json`: sequences of observations with the credits and decisions of the network that was exported. */
export interface ParityFile {
  readonly schema: typeof paritySchema;
  readonly agents: number;
  readonly sequences: readonly (readonly ParityDecision[])[];
}

/** Largest difference allowed between a recorded credit and the one computed here. */
const slack = 1e-5;

/** Above any file of ours; a damaged number must not ask for all memory. */
const mostAgents = 10_000;

/** Rebuilds an observation from its record; everyone is eligible, nobody forced. */
export function parityObservation(decision: ParityDecision, agents: number, dimension: number): Observation {
  return {
    agents,
    round: decision.round,
    head: decision.head,
    scalarsNS: Float32Array.from(decision.scalars),
    embeddingsN: decision.embeddings.map((pair): Embedding | null =>
      pair === null ? null : { dimension, indices: Int32Array.from(pair[0]), values: Float32Array.from(pair[1]) },
    ),
    eligibleN: new Uint8Array(agents).fill(1),
    forcedN: new Uint8Array(agents),
  };
}

/**
 * Plays the recorded observations and compares.
 * @throws ColloquyError `policy/parity` naming the first decision that differs; also for a malformed file
 */
export function checkParityFile(
  parity: Record<string, unknown>,
  manifest: PolicyManifest,
  forward: ForwardPass,
  file: string,
): void {
  if (parity["schema"] !== paritySchema) {
    throw new ColloquyError(
      "policy/parity",
      `${file} has schema ${JSON.stringify(parity["schema"])}, not "${paritySchema}"`,
    );
  }
  const { agents, sequences } = parity as unknown as ParityFile;
  const { embedding, hidden } = manifest.network;
  try {
    if (!(agents >= 1 && agents <= mostAgents)) throw new RangeError(`it is about ${agents} agents`);
    if (sequences.flat().length === 0) throw new RangeError("it holds no decision");
    sequences.forEach((sequence, s) => {
      const hiddenNH = new Float32Array(agents * hidden);
      sequence.forEach((decision, d) => {
        const observation = parityObservation(decision, agents, embedding);
        const creditsN = forward.step(observation, hiddenNH);
        compare(creditsN, observation, decision, manifest, `${file}, sequence ${s}, decision ${d}`);
      });
    });
  } catch (cause) {
    if (cause instanceof ColloquyError && cause.code === "policy/parity") throw cause;
    throw new ColloquyError("policy/parity", `${file} is malformed: ${(cause as Error).message}`, {
      cause,
      hint: "It was damaged, or belongs to another policy. Export the policy again.",
    });
  }
}

function compare(
  creditsN: Float32Array,
  { eligibleN, forcedN }: Observation,
  recorded: ParityDecision,
  { decision: { minimum, cut } }: PolicyManifest,
  place: string,
): void {
  const participantsN = threshold(creditsN, eligibleN, forcedN, { minimum, cut });
  for (let i = 0; i < creditsN.length; i++) {
    if (Math.abs(creditsN[i] - recorded.credits[i]) <= slack && participantsN[i] === recorded.participants[i]) continue;
    throw new ColloquyError(
      "policy/parity",
      `${place}: agent ${i} gets credit ${creditsN[i]} and decision ${participantsN[i]}, recorded were ${recorded.credits[i]} and ${recorded.participants[i]}`,
      { hint: "The files do not belong together, or were damaged. Export the policy again." },
    );
  }
}
