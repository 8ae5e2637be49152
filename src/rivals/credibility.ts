import { sigmoid } from "../base/sigmoid.ts";
import type { Action, Observation, PolicySession, Weights } from "../contracts/policy.ts";
import type { PlayedEpisode, Rival, RivalShape, RivalState } from "./rival.ts";
import { saidOf } from "./said-of.ts";

/*
 * Credibility scoring (as Ebrahimi et al. 2025, "An Adversary-Resistant Multi-Agent LLM System via Credibility Scoring"):
 * answers are weighed by how far each agent is trusted, and trust moves with the reward of the team's answers. There is no
 * graph; everyone answers every round.
 *
 * Their system measures contributions by Shapley values or a judging model. Our reconstruction keeps two parts, both in
 * log-odds:
 *
 *     c_i = logit(s_i) + d_i        weight of the vote: σ(c_i)
 *
 * s_i is learned over training episodes from the reward alone: the share of episodes in which agent i's last answer is known
 * to have been right, among those in which it is known at all. With utility u, who gave the team's answer was right to u; who
 * gave another was wrong to u, and to 1 − u nothing is known of it (an answer that lost may be right or wrong); who could not
 * be read was wrong.
 *
 * d_i runs within an episode, from 0: up for the answer that carries most trust, down for any other, down for changing.
 */

/** Episodes' worth of s = ½ before the first one. */
const prior = 4;
/** Log-odds for standing with the most trusted answer, or against it. */
const agreement = 0.5;
/** Log-odds lost by a changed answer. */
const change = 1;
/** Credits stay within ± this. */
const clamp = 6;

/** Agents' tallies over training: episodes in which they are known to have been right, of those in which it is known. */
const tallies = ["right", "known"] as const;

const logit = (p: number): number => Math.log(p / (1 - p));
const clamped = (c: number): number => Math.min(clamp, Math.max(-clamp, c));

function play(weights: Weights): PolicySession {
  const [rightN, knownN] = tallies.map((name) => weights[name].data);
  const creditsN = Float32Array.from(rightN, (right, i) => clamped(logit((right + prior / 2) / (knownN[i] + prior))));
  return {
    act(observation: Observation): Action {
      const { answersN, previousAnswersN } = saidOf(observation, "credibility");
      const trusted = findMostTrusted(answersN, creditsN);
      answersN.forEach((answer, i) => {
        const before = previousAnswersN[i];
        const stands = answer !== null && answer === trusted ? agreement : -agreement;
        const turned = answer !== null && before !== null && answer !== before ? change : 0;
        creditsN[i] = clamped(creditsN[i] + stands - turned);
      });
      return { creditsN: creditsN.slice(), participantsN: observation.eligibleN.slice() };
    },
  };
}

/** The answer with the most weight; the first one on ties. */
function findMostTrusted(answersN: readonly (string | null)[], creditsN: ArrayLike<number>): string | null {
  const masses = new Map<string, number>();
  answersN.forEach((answer, i) => {
    if (answer !== null) masses.set(answer, (masses.get(answer) ?? 0) + sigmoid(creditsN[i]));
  });
  let best: string | null = null;
  for (const [answer, mass] of masses) if (best === null || mass > masses.get(best)!) best = answer;
  return best;
}

function learn({ weights }: RivalState, batch: readonly PlayedEpisode[]): RivalState {
  const [rightN, knownN] = tallies.map((name) => Float64Array.from(weights[name].data));
  for (const { decisions, record } of batch) {
    const vote = decisions.at(-1)?.observation;
    if (vote?.head !== "decide") continue;
    saidOf(vote, "credibility").answersN.forEach((answer, i) => {
      const won = answer !== null && answer === record.answer;
      if (won) rightN[i] += record.utility;
      knownN[i] += won || answer === null ? 1 : record.utility;
    });
  }
  const shape = [rightN.length];
  return {
    weights: {
      right: { shape, data: Float32Array.from(rightN) },
      known: { shape, data: Float32Array.from(knownN) },
    },
  };
}

/** Trust an agent, by reward and by agreement, weighs the vote. Nothing is sampled: everyone takes part in any case. */
export const credibility: Rival = {
  summary: "a trust score an agent, moved by reward and by agreement, weighs the vote; no graph (credibility scoring)",
  begin: ({ agents }: RivalShape) => ({
    weights: Object.fromEntries(tallies.map((name) => [name, { shape: [agents], data: new Float32Array(agents) }])),
  }),
  policy: (weights) => ({ name: "credibility", begin: () => play(weights) }),
  learn,
};
