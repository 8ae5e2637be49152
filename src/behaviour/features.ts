import { ColloquyError, suggest } from "../base/errors.ts";
import type { Embedding } from "../contracts/agent.ts";
import { cosineWithHeard, cosineWithMean, type Hearing, heardCount, shareOfHeardWithSameAnswer } from "./neighbours.ts";
import { cosine } from "./vectors.ts";

/** What features are computed from: the state of the team before a decision. */
export interface TeamView {
  /** N. */
  readonly agents: number;
  /** 1-based round the decision is for. */
  readonly round: number;
  /** Latest answer of each agent; `null` where unreadable or absent. */
  readonly answersN: readonly (string | null)[];
  /** The answer each agent held one round earlier. */
  readonly previousAnswersN: readonly (string | null)[];
  readonly embeddingsN: readonly (Embedding | null)[];
  readonly previousEmbeddingsN: readonly (Embedding | null)[];
  /** Who heard whom in the last round. */
  readonly hearing: Hearing;
  /** 1 where the agent spoke in the last round. */
  readonly spokeN: Uint8Array;
}

/** The view with what all agents share counted once, so that features cost the same for any N. */
interface CountedView extends TeamView {
  /** How many agents give each answer. */
  readonly supporters: ReadonlyMap<string, number>;
}

type Feature = (view: CountedView, agent: number) => number;

/** Rounds told apart by the one-hot; later ones share the last place. */
const roundPlaces = 4;

/**
 * The scalar observation features of f_i^t, by name [ours; TodyComm states only what they are made from: the own previous
 * output, the neighbours' outputs in the previous graph, what changed]. All lie in [-1, 1].
 */
export const features: Readonly<Record<string, Feature>> = {
  /** Share of the whole team, itself included, that gives the same answer. */
  sameAnswerShare: (view, i) => {
    const answer = view.answersN[i];
    return answer === null ? 0 : view.supporters.get(answer)! / view.agents;
  },
  /** Share of those it heard that gives the same answer. */
  heardSameShare: (view, i) => shareOfHeardWithSameAnswer(view.hearing, i, view.answersN),
  /** 1 where its answer differs from the one it held a round earlier. */
  changedAnswer: (view, i) => (view.round > 2 && view.answersN[i] !== view.previousAnswersN[i] ? 1 : 0),
  /** Cosine with what it heard. */
  cosineHeard: (view, i) => cosineWithHeard(view.hearing, i, view.embeddingsN),
  /** Cosine with its own previous utterance; 0 where it kept it. */
  cosineSelf: (view, i) => (view.spokeN[i] === 0 ? 0 : cosine(view.embeddingsN[i], view.previousEmbeddingsN[i])),
  /** Cosine with the team's mean. Off by default: it costs accuracy when nobody attacks. */
  cosineTeam: (view, i) => {
    const own = view.embeddingsN[i];
    return own === null
      ? 0
      : cosineWithMean(
          own,
          view.embeddingsN.filter((other) => other !== null),
        );
  },
  /** 1 where its last reply could not be read. */
  unparsed: (view, i) => (view.answersN[i] === null ? 1 : 0),
  /** 1 where it heard anyone in the last round. */
  heardAnyone: (view, i) => (heardCount(view.hearing, i) > 0 ? 1 : 0),
  /** How many it heard, over N. */
  heardShare: (view, i) => heardCount(view.hearing, i) / view.agents,
  /** 1 where it spoke in the last round. */
  spoke: (view, i) => view.spokeN[i],
  ...Object.fromEntries(
    Array.from({ length: roundPlaces }, (_, place): [string, Feature] => [
      `round${place + 2}${place === roundPlaces - 1 ? "+" : ""}`,
      (view) => (Math.min(view.round - 2, roundPlaces - 1) === place ? 1 : 0),
    ]),
  ),
};

/** All but `cosineTeam`. */
export const defaultFeatures: readonly string[] = Object.keys(features).filter((name) => name !== "cosineTeam");

/** The N×S matrix of named features, row-major. Names must stand in the table. */
export function computeFeatures(view: TeamView, names: readonly string[]): Float32Array {
  const chosen = names.map(findFeature);
  const counted: CountedView = { ...view, supporters: countSupporters(view.answersN) };
  const scalarsNS = new Float32Array(view.agents * names.length);
  for (let i = 0, k = 0; i < view.agents; i++) for (const feature of chosen) scalarsNS[k++] = feature(counted, i);
  return scalarsNS;
}

function findFeature(name: string): Feature {
  if (Object.hasOwn(features, name)) return features[name];
  throw new ColloquyError("features/unknown", `there is no feature "${name}"`, {
    hint: suggest(name, Object.keys(features)),
  });
}

function countSupporters(answersN: readonly (string | null)[]): Map<string, number> {
  const supporters = new Map<string, number>();
  for (const answer of answersN) if (answer !== null) supporters.set(answer, (supporters.get(answer) ?? 0) + 1);
  return supporters;
}
