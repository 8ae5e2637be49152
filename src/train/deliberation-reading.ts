import { ColloquyError } from "../base/errors.ts";
import { sigmoid } from "../base/sigmoid.ts";
import { type EpisodeRecord, isRightAnswer } from "../contracts/trace.ts";
import { countSharedCalls } from "./shared-calls.ts";
import type { WorldReading } from "./world-reading.ts";

/** How the trainer reads episodes of a deliberation: answers that are right or wrong, runs that share calls. */
export const deliberationReading = {
  utilityKey: "eval/accuracy",
  outcomeKeys: { "eval/unparsed": "unparsed" },
  costUnits: {
    /** Calls of agents, as if each run of a start made its own. */
    calls: ({ calls }) => calls,
    /** Edges of all rounds, those through time included. */
    edges: ({ decisions }) =>
      decisions.reduce((total, { edges, temporal = [] }) => total + edges.length + temporal.length, 0),
    /** Wall-clock time in calls that follow each other: levels of all rounds; the first has one. */
    levels: ({ decisions, rounds }) =>
      decisions.reduce((total, { levels }) => total + levels, rounds[0]?.some((said) => said !== null) ? 1 : 0),
    /** Thousands of tokens, of prompts and replies. */
    tokens: ({ tokens, question }) => {
      if (tokens !== null) return tokens / 1000;
      throw new ColloquyError(
        "train/cost",
        `an episode on question ${question} counts no tokens, so none can be charged`,
        {
          hint: "Agents of this population count none, or their server did not say. Set train.cost.per to calls, edges or levels.",
        },
      );
    },
  },
  countSharedCalls,
  answers: {
    heldBefore: (record, round, agents) =>
      latestAnswers(record, round - 1, agents).map((answer) =>
        answer === null ? null : isRightAnswer(record, answer),
      ),
    confidence: shareOnGold,
  },
} as const satisfies WorldReading<EpisodeRecord>;

/** The share of the weight of those who took part in the vote that stands on the gold answer. */
function shareOnGold(record: EpisodeRecord): number {
  const vote = record.decisions.at(-1);
  if (vote === undefined) return 0;
  const answersN = latestAnswers(record, record.rounds.length, vote.credits.length);
  let right = 0;
  let all = 0;
  vote.credits.forEach((credit, i) => {
    if (answersN[i] === null || vote.participants[i] === 0) return;
    const weight = sigmoid(credit);
    all += weight;
    if (isRightAnswer(record, answersN[i])) right += weight;
  });
  return all > 0 ? right / all : 0;
}

/** The answer each agent holds after `rounds` rounds: its latest reply, kept while it did not speak. */
function latestAnswers(record: EpisodeRecord, rounds: number, agents: number): (string | null)[] {
  const answersN = new Array<string | null>(agents).fill(null);
  for (const round of record.rounds.slice(0, rounds)) {
    round.forEach((utterance, i) => {
      if (utterance !== null) answersN[i] = utterance.answer;
    });
  }
  return answersN;
}
