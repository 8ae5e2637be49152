import type { Rng } from "../base/rng.ts";
import { questionKey } from "../tasks/choice.ts";
import type { Bank, Debate } from "./bank.ts";
import { nextAnswerDistribution, type ResponseLaw } from "./response-law.ts";
import { answerIndex, heardBy, intrinsicByQuestion, lastSpoken, letterIndex } from "./transitions.ts";

/** Accuracies of a set of debates. */
export interface DebateAccuracy {
  readonly debates: number;
  /** Share of right answers among those of honest agents, by round; an unread answer is wrong. */
  readonly honestByRound: readonly number[];
  /** Share of debates whose majority over all agents' last answers is right; a tie counts for its share. */
  readonly finalMajority: number;
}

/** A bank's debates without and with adversaries; `null` where it has none of a kind. */
export interface ProtocolAccuracy {
  readonly clean: DebateAccuracy | null;
  readonly attacked: DebateAccuracy | null;
}

/** Answers of one debate as played or recorded: `[round][agent]`, an option index, −1 unread, `null` not asked. */
type Answers = readonly (readonly (number | null)[])[];

/** What the recording says. */
export function recordedAccuracy(bank: Bank): ProtocolAccuracy {
  return measureBoth(bank, (debate) => [recordedAnswers(debate)]);
}

/**
 * Plays the recording's own protocol again with the law in place of its honest agents: the same agents are asked in the
 * same rounds and hear the same others; honest round-1 answers are drawn from all recorded ones for the question;
 * adversaries answer as they did. A law that fits gives back `recordedAccuracy`.
 *
 * @param repeats how often each debate is played
 */
export function replayProtocol(bank: Bank, law: ResponseLaw, rng: Rng, repeats = 5): ProtocolAccuracy {
  const intrinsic = intrinsicByQuestion(bank);
  const alone = new Map<string, number[]>();
  for (const { question, rounds, agents } of bank.debates) {
    const answers = rounds[0].flatMap((said, i) => (said === null || agents[i].adversary ? [] : [answerIndex(said)]));
    const key = questionKey(question);
    alone.set(key, [...(alone.get(key) ?? []), ...answers]);
  }
  return measureBoth(bank, (debate, index) => {
    const key = questionKey(debate.question);
    return Array.from({ length: repeats }, (_, repeat) =>
      playDebate(debate, law, intrinsic.get(key)!, alone.get(key)!, rng.fork(index, repeat)),
    );
  });
}

function playDebate(
  debate: Debate,
  law: ResponseLaw,
  intrinsic: number[],
  alone: readonly number[],
  rng: Rng,
): Answers {
  const played: (number | null)[][] = [];
  for (const [round, said] of debate.rounds.entries()) {
    const moods = intrinsic.map(() => rng.normal());
    const answers = said.map((utterance, agent) => {
      if (utterance === null || debate.agents[agent].adversary) return utterance && answerIndex(utterance);
      const before = lastSpoken(debate, round, agent);
      if (before < 0 && round === 0) return rng.pick(alone);
      const heard = heardBy(debate, round, agent).flatMap((from) => {
        const spoken = lastSpoken(debate, round, from);
        return spoken < 0 ? [] : [played[spoken][from]!];
      });
      const own = before < 0 ? -1 : played[before][agent]!;
      const isFresh = before < 0 || heardBy(debate, before, agent).length === 0;
      return rng.weighted(nextAnswerDistribution(law, { own, isFresh, heard, intrinsic, moods }));
    });
    played.push(answers);
  }
  return played;
}

function recordedAnswers({ rounds }: Debate): Answers {
  return rounds.map((said) => said.map((utterance) => utterance && answerIndex(utterance)));
}

function measureBoth(bank: Bank, play: (debate: Debate, index: number) => readonly Answers[]): ProtocolAccuracy {
  const indexed = bank.debates.map((debate, index) => ({ debate, index }));
  const isAttacked = ({ debate }: { debate: Debate }) => debate.agents.some((agent) => agent.adversary);
  const measureThose = (those: typeof indexed) =>
    those.length === 0
      ? null
      : measure(
          those.flatMap(({ debate, index }) => play(debate, index).map((answers) => ({ debate, answers }))),
          those.length,
        );
  return {
    clean: measureThose(indexed.filter((one) => !isAttacked(one))),
    attacked: measureThose(indexed.filter(isAttacked)),
  };
}

function measure(games: readonly { debate: Debate; answers: Answers }[], debates: number): DebateAccuracy {
  const right: number[] = [];
  const asked: number[] = [];
  let majority = 0;
  for (const { debate, answers } of games) {
    const gold = letterIndex(debate.question.gold);
    for (const [round, row] of answers.entries()) {
      for (const [agent, answer] of row.entries()) {
        if (answer === null || debate.agents[agent].adversary) continue;
        asked[round] = (asked[round] ?? 0) + 1;
        right[round] = (right[round] ?? 0) + (answer === gold ? 1 : 0);
      }
    }
    majority += shareOfMajority(answers, gold);
  }
  return { debates, honestByRound: asked.map((n, round) => right[round] / n), finalMajority: majority / games.length };
}

/** 1 when `gold` alone has the most last answers, 1/k when it ties with k − 1 others, else 0. */
function shareOfMajority(answers: Answers, gold: number): number {
  const last = answers[0].map((_, agent) => answers.findLast((row) => row[agent] !== null)?.[agent] ?? -1);
  const counts = new Map<number, number>();
  for (const answer of last) if (answer >= 0) counts.set(answer, (counts.get(answer) ?? 0) + 1);
  const most = Math.max(...counts.values());
  const leaders = [...counts].filter(([, count]) => count === most);
  return leaders.some(([answer]) => answer === gold) ? 1 / leaders.length : 0;
}
