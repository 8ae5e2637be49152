import { ColloquyError } from "../base/errors.ts";
import type { Rng } from "../base/rng.ts";
import type { Agent, Turn, Utterance } from "../contracts/agent.ts";
import type { Population } from "../contracts/population.ts";
import type { Question } from "../contracts/task.ts";
import { optionLetter } from "../contracts/task.ts";
import { questionKey } from "../tasks/choice.ts";
import type { Bank } from "./bank.ts";
import { nextAnswerDistribution, type ResponseLaw } from "./response-law.ts";
import { letterIndex } from "./transitions.ts";
import {
  createDrawer,
  type Drawer,
  type PooledUtterance,
  poolUtterances,
  type QuestionPool,
  randomOrder,
} from "./utterance-pool.ts";

/**
 * Agents that speak with recorded words. Round 1: an honest utterance recorded in round 1 of the same question. Later the
 * answer follows the response law and the words are a recorded honest utterance with that answer. Under orders: an
 * utterance of an agent that was told to argue for the target, and does. Within an episode no text is used twice while
 * there is another one.
 *
 * A question is known by its text and options, not by its id. Questions without adversarial utterances cannot be attacked:
 * `targets` is empty.
 */
export function recordedPopulation({ bank, law }: { readonly bank: Bank; readonly law: ResponseLaw }): Population {
  const pools = poolUtterances(bank);
  // A key is a hash over the whole question, and every episode asks for it twice.
  const known = new WeakMap<Question, QuestionPool | undefined>();
  const poolOf = (question: Question): QuestionPool | undefined => {
    if (!known.has(question)) known.set(question, pools.get(questionKey(question)));
    return known.get(question);
  };
  return {
    name: "recorded",
    team(question, agents, rng) {
      const pool = poolOf(question);
      if (pool === undefined || pool.honest.length === 0) {
        throw new ColloquyError(
          "population/question",
          `the bank holds no honest utterance for question ${question.id}`,
          {
            hint: "Ask only the questions of the bank (bankQuestions), or record more.",
          },
        );
      }
      const episode = openEpisode(pool, law, agents, rng);
      return Array.from({ length: agents }, (_, index) => recordedAgent(episode, index));
    },
    targets(question: Question) {
      const pool = poolOf(question);
      return pool === undefined ? [] : pool.onTarget.flatMap((said, y) => (said.length > 0 ? [optionLetter(y)] : []));
    },
  };
}

/** What the agents of one team share. */
interface RecordedEpisode {
  readonly pool: QuestionPool;
  readonly law: ResponseLaw;
  readonly drawer: Drawer;
  /** Honest utterances, one for every text: agent i opens with the i-th, whoever else is under orders. */
  readonly openings: readonly PooledUtterance[];
  /** What is left for agents that say anything at all. */
  readonly spare: readonly PooledUtterance[];
  /** ε of a round, shared by all who answer in it. */
  moods(round: number): readonly number[];
}

function openEpisode(pool: QuestionPool, law: ResponseLaw, agents: number, rng: Rng): RecordedEpisode {
  const drawer = createDrawer(pool, rng.fork("utterances").integer(4294967296));
  const openings = orderOpenings(pool, drawer);
  const spare = openings.slice(agents);
  const byRound: (readonly number[])[] = [];
  return {
    pool,
    law,
    drawer,
    openings,
    spare: spare.length > 0 ? spare : openings,
    moods(round) {
      const stream = rng.fork("mood", round);
      byRound[round] ??= pool.intrinsic.map(() => stream.normal());
      return byRound[round];
    },
  };
}

/** Round-1 utterances first. */
function orderOpenings({ honest }: QuestionPool, { order }: Drawer): PooledUtterance[] {
  const ranked = honest
    .map((said) => ({ said, rank: (said.round > 1 ? 4294967296 : 0) + order(said) }))
    .sort((a, b) => a.rank - b.rank);
  const byText = new Map<number, PooledUtterance>();
  for (const { said } of ranked) if (!byText.has(said.textId)) byText.set(said.textId, said);
  return [...byText.values()];
}

function recordedAgent(episode: RecordedEpisode, index: number): Agent {
  const { pool, drawer, openings } = episode;
  let hasHeard = false;
  return {
    role: "debater",
    respond(turn) {
      const isFresh = !hasHeard;
      hasHeard = turn.own !== null && (hasHeard || turn.heard.length > 0);
      if (turn.orders) return say(obey(episode, turn));
      if (turn.round === 1) return say(drawer.draw([openings[index % openings.length]], 1));
      // Asked afresh: as if in round 1.
      if (turn.own === null) return say(drawer.draw(openings, 1));
      return say(drawer.draw(pool.honestByAnswer[answerNext(episode, turn, isFresh)] ?? pool.honest, turn.round));
    },
  };
}

/** The next answer by the law, among those that somebody has put into words; −1 where nobody has. */
function answerNext({ pool, law, moods }: RecordedEpisode, turn: Turn, isFresh: boolean): number {
  const distribution = nextAnswerDistribution(law, {
    own: optionIndex(turn.own, pool),
    isFresh,
    heard: turn.heard.map(({ utterance }) => optionIndex(utterance, pool)),
    intrinsic: pool.intrinsic,
    moods: moods(turn.round),
  });
  const sayable = distribution.map((p, y) => (pool.honestByAnswer[y].length > 0 ? p : 0));
  return sayable.some((p) => p > 0) ? turn.rng.weighted(sayable) : -1;
}

/** What fits the orders best: on target, else any wrong case, else the target in honest words, else anything. */
function obey({ pool, drawer, spare }: RecordedEpisode, { orders, round, rng }: Turn): PooledUtterance {
  const target = letterIndex(orders?.target ?? null);
  if (target < 0) return drawer.draw(spare, round, randomOrder(rng.integer(4294967296)));
  const choices = [pool.onTarget[target], pool.adversarial, pool.honestByAnswer[target], pool.honest];
  return drawer.draw(choices.find((said) => said !== undefined && said.length > 0)!, round);
}

function optionIndex(utterance: Utterance | null, { intrinsic }: QuestionPool): number {
  const index = letterIndex(utterance?.answer ?? null);
  return index < intrinsic.length ? index : -1;
}

function say({ said, source }: PooledUtterance): Utterance {
  return { answer: said.answer, status: said.status, text: said.text, source };
}
