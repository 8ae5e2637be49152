import { attacksIn, isRightAnswer } from "../../contracts/trace.ts";
import type { ShownEpisode } from "../report-data.ts";
import { answerAt } from "./episode-facts.ts";

/** A voice for an answer. */
export interface Ballot {
  readonly agent: number;
  readonly weight: number;
  readonly isAttacking: boolean;
}

/** An answer and who stands behind it. */
export interface AnswerTally {
  readonly answer: string;
  /** Sum of the weights, and its share of the sum over all answers. */
  readonly mass: number;
  readonly share: number;
  /** Honest voices first, the heavier first. */
  readonly ballots: readonly Ballot[];
  readonly isChosen: boolean;
  readonly isRight: boolean;
  readonly isTarget: boolean;
}

/**
 * The vote as it was counted: of the last outputs, or of those of all rounds where the method counts these. The right
 * answer and the adversaries' target are listed even where nobody stands behind them. Letters in order, others by weight.
 */
export function tallyVote({ record, weights, ballots: counted }: ShownEpisode): AnswerTally[] {
  const ballots = new Map<string, Ballot[]>();
  const listed = [record.right === undefined ? record.gold : null, record.target, record.answer];
  for (const answer of listed) if (answer !== null) ballots.set(answer, []);
  const last = record.rounds.length;
  const cast = (agent: number, round: number, answer: string | null): void => {
    if (answer === null || !(weights[agent] > 0)) return;
    const ballot = { agent, weight: weights[agent], isAttacking: attacksIn(record, agent, round) };
    const behind = ballots.get(answer);
    if (behind === undefined) ballots.set(answer, [ballot]);
    else behind.push(ballot);
  };
  if (record.outcome !== "failed") {
    for (let agent = 0; agent < record.onsets.length; agent++) {
      if (counted !== "all") cast(agent, last, answerAt(record, agent, last));
      else
        for (let round = 1; round <= last; round++) cast(agent, round, record.rounds[round - 1][agent]?.answer ?? null);
    }
  }
  const massOf = (list: readonly Ballot[]): number => list.reduce((sum, { weight }) => sum + weight, 0);
  const total = [...ballots.values()].reduce((sum, list) => sum + massOf(list), 0);
  const tallies = [...ballots].map(([answer, list]) => ({
    answer,
    mass: massOf(list),
    share: total > 0 ? massOf(list) / total : 0,
    ballots: list.sort((a, b) => Number(a.isAttacking) - Number(b.isAttacking) || b.weight - a.weight),
    isChosen: answer === record.answer,
    isRight: isRightAnswer(record, answer),
    isTarget: answer === record.target,
  }));
  const areLetters = tallies.every(({ answer }) => /^[A-Z]$/.test(answer));
  return tallies.sort((a, b) => (areLetters ? (a.answer < b.answer ? -1 : 1) : b.mass - a.mass));
}
