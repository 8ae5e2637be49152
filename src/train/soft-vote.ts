import { sigmoid } from "../base/sigmoid.ts";
import { type EpisodeRecord, isRightAnswer } from "../contracts/trace.ts";
import { type Batch, latestAnswers } from "./batch.ts";

/**
 * The share of the last vote's weight that stands on the gold answer, episode by episode: Σ_{right} σ(c) / Σ_{readable} σ(c),
 * with the credits the rollout decided by; 0 where nobody could be read.
 */
export function softVotes({ decisions, episodes, agents, credits, supports, readable, present }: Batch): number[] {
  return Array.from({ length: episodes }, (_, b) => {
    for (let d = decisions - 1; d >= 0; d--) {
      const start = (d * episodes + b) * agents;
      if (present[start] === 0) continue;
      let right = 0;
      let all = 0;
      for (let row = start; row < start + agents; row++) {
        const weight = readable[row] * sigmoid(credits[row]);
        all += weight;
        right += weight * supports[row];
      }
      return all > 0 ? right / all : 0;
    }
    return 0;
  });
}

/** The same from a record, over those who took part in the vote: how sure the team was of the right answer. */
export function shareOnGold(record: EpisodeRecord): number {
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
