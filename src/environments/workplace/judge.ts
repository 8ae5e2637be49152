import type { RequestType } from "../../contracts/workplace/message.ts";
import type { Exchange, Judge } from "../../contracts/workplace/mind.ts";

/** Δ of an answer that meets all of a gap, by somebody with all the skills, as clearly as can be (C2C: Δ ∈ [0, 0.5]). */
const most = 500;
/** What is left of it where the answerer has none of the skills. */
const unskilled = 0.4;
/** In a meeting people ask back; what is meant by a requirement is a smaller part of understanding it. */
const factors: Readonly<Record<RequestType, number>> = {
  help_request: 1,
  need_clarification: 0.5,
  meeting_invite: 1.5,
};

/**
 * Judges without a model: Δ is the share of the asked topics that the answer covers, times the answerer's skill match, times
 * clarity [ours, for the published judgement by a language model of (i) gaps met, (ii) relevance, (iii) clarity].
 * @returns Δ in thousandths, 0..500
 */
export const judgeByOverlap: Judge = ({ type, topics, guidance, match }: Exchange): number => {
  if (topics.length === 0) return 0;
  const met = topics.filter((topic) => guidance.covers.includes(topic)).length / topics.length;
  const skill = unskilled + (1 - unskilled) * (match / 1000);
  return Math.max(0, Math.min(most, Math.round(most * met * skill * (guidance.clarity / 1000) * factors[type])));
};
