import type { Action, Observation, Policy, PolicySession } from "../contracts/policy.ts";
import type { Rival } from "./rival.ts";
import { saidOf } from "./said-of.ts";

/*
 * DyLAN (Liu et al. 2024, "A Dynamic LLM-Powered Agent Network"), read from its paper and its code. What it does: agents
 * stand in layers, one a round; each hears the outputs of the layer before and rates them; ratings are normalised over those
 * heard (equal shares where all are 0); importance begins in the last layer, shared by those who gave the answer, flows back
 * along the ratings and is added up over layers; from the third layer on only some agents go on; it stops early once more
 * than two thirds agree.
 *
 * Our reconstruction: agents here give no scores, so j's rating of i is 1 where j's answer after hearing i is the one i had
 * given before, else 0: it was taken over, or confirmed. Agents go out one a round by that importance, where DyLAN asks a
 * language model which two to keep. Those who are in hear each other, not who has just gone out. Nothing is learned.
 */

/** One round as it was spoken. */
export interface Layer {
  /** 1 for those who were in. */
  readonly speakersN: Uint8Array;
  readonly answersN: readonly (string | null)[];
}

/** The fewest agents that stay. */
const fewest = 2;

/**
 * The agent importance score: Σ over layers of what flows back from the last one, N. Each layer holds 1 in all, or less
 * where somebody heard nobody.
 */
export function scoreImportance(layers: readonly Layer[]): Float64Array {
  const last = layers[layers.length - 1];
  const speakers = listSpeakers(last);
  const { answer } = mostFrequent(speakers.map((i) => last.answersN[i]));
  const sharing = answer === null ? speakers : speakers.filter((i) => last.answersN[i] === answer);
  let importanceN: Float64Array = new Float64Array(last.speakersN.length);
  for (const i of sharing) importanceN[i] = 1 / sharing.length;
  const totalN = importanceN.slice();
  for (let t = layers.length - 1; t > 0; t--) {
    importanceN = passBack(layers[t], layers[t - 1].answersN, importanceN);
    for (let i = 0; i < totalN.length; i++) totalN[i] += importanceN[i];
  }
  return totalN;
}

/** Importance one layer earlier: each rater's own, shared among those it heard by its ratings. */
function passBack(layer: Layer, heardN: readonly (string | null)[], importanceN: Float64Array): Float64Array {
  const earlierN = new Float64Array(importanceN.length);
  const speakers = listSpeakers(layer);
  for (const j of speakers) {
    const heard = speakers.filter((i) => i !== j);
    const own = layer.answersN[j];
    const agreed = own === null ? [] : heard.filter((i) => heardN[i] === own);
    const rated = agreed.length > 0 ? agreed : heard;
    for (const i of rated) earlierN[i] += importanceN[j] / rated.length;
  }
  return earlierN;
}

const listSpeakers = ({ speakersN }: Layer): number[] => Array.from(speakersN.keys()).filter((i) => speakersN[i] === 1);

/** The readable answer given most often, the first one on ties. */
function mostFrequent(answers: readonly (string | null)[]): { answer: string | null; count: number } {
  const counts = new Map<string, number>();
  for (const answer of answers) if (answer !== null) counts.set(answer, (counts.get(answer) ?? 0) + 1);
  let best: { answer: string | null; count: number } = { answer: null, count: 0 };
  for (const [answer, count] of counts) if (count > best.count) best = { answer, count };
  return best;
}

/** More than two thirds of the speakers gave one answer. */
function agrees(layer: Layer): boolean {
  const speakers = listSpeakers(layer);
  return 3 * mostFrequent(speakers.map((i) => layer.answersN[i])).count > 2 * speakers.length;
}

/** The one of lowest importance among those who are in; the higher index on ties. */
function findLowest(insideN: Uint8Array, importanceN: Float64Array): number {
  let lowest = -1;
  for (let i = 0; i < insideN.length; i++)
    if (insideN[i] === 1 && (lowest < 0 || importanceN[i] <= importanceN[lowest])) lowest = i;
  return lowest;
}

function play(): PolicySession {
  const layers: Layer[] = [];
  let insideN = new Uint8Array(0);
  let hasEnded = false;
  return {
    act(observation: Observation): Action {
      const { answersN } = saidOf(observation, "dylan");
      if (layers.length === 0) insideN = observation.eligibleN.slice();
      // Once it has ended nobody speaks: there is no new layer.
      if (!hasEnded) layers.push({ speakersN: insideN.slice(), answersN: answersN.slice() });
      const importanceN = scoreImportance(layers);
      const creditsN = Float32Array.from(importanceN);
      if (observation.head === "decide") return { creditsN, participantsN: insideN.slice() };
      hasEnded ||= agrees(layers[layers.length - 1]);
      if (hasEnded) return { creditsN, participantsN: new Uint8Array(insideN.length) };
      if (observation.round > 2 && listSpeakers(layers[layers.length - 1]).length > fewest)
        insideN[findLowest(insideN, importanceN)] = 0;
      return { creditsN, participantsN: insideN.slice() };
    },
  };
}

const policy: Policy = { name: "dylan", begin: play };

/** Layers in which agents rate each other, by importance one goes out a round. Credits are importance. */
export const dylan: Rival = {
  summary: "layers in which agents rate those they heard; the least important drops out each round (as DyLAN)",
  begin: () => ({ weights: {} }),
  policy: () => policy,
};
