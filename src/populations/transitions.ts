import { groupBy } from "../base/group-by.ts";
import { questionKey } from "../tasks/choice.ts";
import type { Bank, BankUtterance, Debate } from "./bank.ts";
import { intrinsicDistribution, type Situation } from "./response-law.ts";

/** One step of an honest agent: what it answered from, and what it answered. */
export interface Transition extends Situation {
  readonly next: number;
  /** The right answer. */
  readonly gold: number;
  /** Steps of one debate and round share it. */
  readonly group: number;
}

/** Every recorded step of an honest agent from one answer to the next that can be read. */
export function recordedTransitions(bank: Bank): Transition[] {
  const intrinsic = intrinsicByQuestion(bank);
  let group = 0;
  return bank.debates.flatMap((debate) => {
    const key = questionKey(debate.question);
    return debate.rounds.slice(1).flatMap((said, index) => {
      group++;
      return said.flatMap((utterance, agent) => {
        if (utterance?.answer == null || debate.agents[agent].adversary) return [];
        const round = index + 1;
        const before = lastSpoken(debate, round, agent);
        const own = before < 0 ? null : debate.rounds[before][agent];
        const step: Transition = {
          own: answerIndex(own),
          isFresh: before < 0 || heardBy(debate, before, agent).length === 0,
          heard: heardBy(debate, round, agent).map((from) => answerIndex(latest(debate, round, from))),
          intrinsic: intrinsic.get(key)!,
          next: answerIndex(utterance),
          gold: letterIndex(debate.question.gold),
          group,
        };
        return step.own < 0 && step.heard.every((answer) => answer < 0) ? [] : [step];
      });
    });
  });
}

/** π of every question (by key), from what honest agents said in round 1. */
export function intrinsicByQuestion(bank: Bank): Map<string, number[]> {
  const result = new Map<string, number[]>();
  for (const [key, debates] of groupBy(bank.debates, (debate) => questionKey(debate.question))) {
    const counts = debates[0].question.options.map(() => 0);
    for (const { rounds, agents } of debates) {
      for (const [agent, said] of rounds[0].entries()) {
        const answer = agents[agent].adversary ? -1 : answerIndex(said);
        if (answer >= 0) counts[answer]++;
      }
    }
    result.set(key, intrinsicDistribution(counts));
  }
  return result;
}

/** The agents an agent heard in a round (0-based). */
export function heardBy(debate: Debate, round: number, agent: number): readonly number[] {
  if (debate.heard !== "all-previous") return debate.heard[round][agent];
  if (round === 0) return [];
  return debate.rounds[round - 1].flatMap((said, from) => (said !== null && from !== agent ? [from] : []));
}

/** The last round before `round` in which an agent spoke, or −1. */
export function lastSpoken(debate: Debate, round: number, agent: number): number {
  for (let t = round - 1; t >= 0; t--) if (debate.rounds[t][agent] !== null) return t;
  return -1;
}

/** An answer as an option index; −1 where none could be read. */
export function answerIndex(utterance: BankUtterance | null): number {
  return letterIndex(utterance?.answer ?? null);
}

export function letterIndex(letter: string | null): number {
  return letter === null ? -1 : letter.charCodeAt(0) - 65;
}

function latest(debate: Debate, round: number, agent: number): BankUtterance | null {
  const before = lastSpoken(debate, round, agent);
  return before < 0 ? null : debate.rounds[before][agent];
}
