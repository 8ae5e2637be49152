import { ColloquyError } from "../base/errors.ts";
import { computeFeatures } from "../behaviour/features.ts";
import { type Hearing, silence } from "../behaviour/neighbours.ts";
import type { Embedding } from "../contracts/agent.ts";
import type { Observation } from "../contracts/policy.ts";

/** What an agent said this round. `null` in a list of utterances: it kept its last one. */
export interface SpokenUtterance {
  /** The answer in normal form (an option letter, a number); `null` where it could not be read. */
  readonly answer: string | null;
  /** The analysis; embedded by the policy's own embedder. Left out by an agent that said nothing at all. */
  readonly text?: string;
  /** Instead of `text`: the behaviour embedding. */
  readonly embedding?: ArrayLike<number> | Embedding;
}

/** What a session remembers of its team between rounds. */
export interface Team {
  readonly agents: number;
  readonly hiddenNH: Float32Array;
  readonly answersN: readonly (string | null)[];
  readonly previousAnswersN: readonly (string | null)[];
  readonly embeddingsN: readonly (Embedding | null)[];
  readonly previousEmbeddingsN: readonly (Embedding | null)[];
  /** Who was to hear whom by the last decision, through time or not. */
  readonly hearing: Hearing;
}

/** @throws ColloquyError `session/observation` unless `agents` is a positive whole number */
export function createTeam(agents: number, hidden: number): Team {
  if (!(Number.isInteger(agents) && agents > 0)) {
    throw new ColloquyError("session/observation", `a team of ${agents} agents`, {
      hint: "Give one utterance, or one row of features, an agent.",
    });
  }
  const nothing = new Array(agents).fill(null);
  return {
    agents,
    hiddenNH: new Float32Array(agents * hidden),
    answersN: nothing,
    previousAnswersN: nothing,
    embeddingsN: nothing,
    previousEmbeddingsN: nothing,
    hearing: silence(agents),
  };
}

/** The team after a round. */
export function hear(
  team: Team,
  utterances: readonly (SpokenUtterance | null)[],
  vectors: readonly (Embedding | null)[],
): Team {
  return {
    ...team,
    previousAnswersN: team.answersN,
    previousEmbeddingsN: team.embeddingsN,
    // Programs without types may leave the answer out.
    answersN: utterances.map((said, i) => (said === null ? team.answersN[i] : (said.answer ?? null))),
    embeddingsN: utterances.map((said, i) => (said === null ? team.embeddingsN[i] : vectors[i])),
  };
}

/** What the policy sees of the team before the decision for `round`: the features it was trained on, by the same code. */
export function observeTeam(
  team: Team,
  utterances: readonly (SpokenUtterance | null)[],
  round: number,
  names: readonly string[],
): Omit<Observation, "eligibleN" | "forcedN"> {
  const { agents } = team;
  const spokeN = Uint8Array.from(utterances, (utterance) => (utterance === null ? 0 : 1));
  return {
    agents,
    round,
    head: "communicate",
    scalarsNS: computeFeatures({ ...team, round, spokeN }, names),
    embeddingsN: team.embeddingsN,
  };
}
