import { mix32 } from "../base/fnv.ts";
import { groupBy } from "../base/group-by.ts";
import type { Question } from "../contracts/task.ts";
import { questionKey } from "../tasks/choice.ts";
import { type Bank, type BankUtterance, type Debate, utteranceId } from "./bank.ts";
import { answerIndex, intrinsicByQuestion, letterIndex } from "./transitions.ts";

/** A recorded utterance as the population draws it. Ids are small integers, unique within a question. */
export interface PooledUtterance {
  readonly id: number;
  /** Utterances with the same words share it. */
  readonly textId: number;
  /** 1-based round it was said in. */
  readonly round: number;
  /** Option index, −1 where none could be read. */
  readonly answer: number;
  readonly said: BankUtterance;
  readonly source: string;
}

/** Everything recorded about one question. */
export interface QuestionPool {
  readonly question: Question;
  /** π of honest agents alone. */
  readonly intrinsic: readonly number[];
  readonly honest: readonly PooledUtterance[];
  /** `honestByAnswer[y]`: those that answer y. */
  readonly honestByAnswer: readonly (readonly PooledUtterance[])[];
  /** `onTarget[y]`: of adversaries that were told to argue for y and do. */
  readonly onTarget: readonly (readonly PooledUtterance[])[];
  /** Of adversaries, with any wrong answer. */
  readonly adversarial: readonly PooledUtterance[];
  readonly texts: number;
}

/** Indexes a bank once: question key → what can be said about it. */
export function poolUtterances(bank: Bank): Map<string, QuestionPool> {
  const intrinsic = intrinsicByQuestion(bank);
  const pools = new Map<string, QuestionPool>();
  for (const [key, debates] of groupBy(bank.debates, (debate) => questionKey(debate.question))) {
    pools.set(key, poolQuestion(debates, intrinsic.get(key)!));
  }
  return pools;
}

function poolQuestion(debates: readonly Debate[], intrinsic: readonly number[]): QuestionPool {
  const { question } = debates[0];
  const gold = letterIndex(question.gold);
  const textIds = new Map<string, number>();
  const honest: PooledUtterance[] = [];
  const adversarial: PooledUtterance[] = [];
  const onTarget: PooledUtterance[][] = question.options.map(() => []);
  for (const { run, rounds, agents } of debates) {
    for (const [t, row] of rounds.entries()) {
      for (const [agent, said] of row.entries()) {
        if (said === null) continue;
        const textId = textIds.get(said.text) ?? textIds.size;
        textIds.set(said.text, textId);
        const id = honest.length + adversarial.length;
        const answer = answerIndex(said);
        const pooled = { id, textId, round: t + 1, answer, said, source: utteranceId(run, agent, t + 1) };
        if (!agents[agent].adversary) honest.push(pooled);
        else if (answer >= 0 && answer !== gold) {
          adversarial.push(pooled);
          if (said.answer === agents[agent].target) onTarget[answer].push(pooled);
        }
      }
    }
  }
  const honestByAnswer = question.options.map((_, y) => honest.filter(({ answer }) => answer === y));
  return { question, intrinsic, honest, honestByAnswer, onTarget, adversarial, texts: textIds.size };
}

/** What is left to say in one episode: no text twice while there is another one. */
export interface Drawer {
  /**
   * Takes an utterance: of texts unused so far, of this round rather than another, lowest `order` first. Repeats a text
   * only when all are used. @throws RangeError on an empty list
   */
  draw(candidates: readonly PooledUtterance[], round: number, order?: Order): PooledUtterance;
  /** The episode's own order, so that other methods draw the same first utterances. */
  readonly order: Order;
}

/** Where an utterance stands in line: an integer in [0, 2³²). */
export type Order = (utterance: PooledUtterance) => number;

/** A random order of utterances that follows from `seed`. */
export function randomOrder(seed: number): Order {
  return ({ id }) => mix32(seed ^ Math.imul(id + 1, 0x9e3779b1));
}

export function createDrawer(pool: QuestionPool, seed: number): Drawer {
  const used = new Uint8Array(pool.texts);
  const episodeOrder = randomOrder(seed);
  return {
    order: episodeOrder,
    draw(candidates, round, order = episodeOrder) {
      if (candidates.length === 0) throw new RangeError("draw from an empty list of utterances");
      let best = candidates[0];
      let bestRank = Number.POSITIVE_INFINITY;
      for (const candidate of candidates) {
        const tier = (used[candidate.textId] ? 2 : 0) + (candidate.round === round ? 0 : 1);
        const rank = tier * 4294967296 + order(candidate);
        if (rank < bestRank) {
          best = candidate;
          bestRank = rank;
        }
      }
      used[best.textId] = 1;
      return best;
    },
  };
}
