import { type Concordance, countConcordant } from "../base/auc.ts";
import { attacksIn, type DecisionRecord, type EpisodeRecord } from "../contracts/trace.ts";

/** How many agents of each side there were in some decisions, and how many of them took part. */
export interface Kept {
  readonly adversaries: number;
  readonly adversariesKept: number;
  readonly honest: number;
  readonly honestKept: number;
}

/** What the measures need of an episode: a sweep keeps these and lets go of the records. */
export interface EpisodeNumbers {
  readonly question: string;
  readonly seed: number;
  readonly sample: number;
  readonly outcome: EpisodeRecord["outcome"];
  readonly utility: number;
  readonly calls: number;
  readonly tokens: number | null;
  /** 0 where calls are free, `null` where it is not known. */
  readonly cost: number | null;
  /** Those through time included. */
  readonly edges: number;
  readonly depth: number;
  readonly levels: number;
  /** By round: honest agents who hold the adversaries' target, of how many. Empty without a target. */
  readonly infected: readonly number[];
  readonly honest: readonly number[];
  readonly graphs: Kept;
  readonly vote: Kept;
  /** Credits of honest agents against those of adversaries, in the vote. */
  readonly credits: Concordance & { readonly vary: boolean };
}

/**
 * Reduces a record to its numbers.
 *
 * An agent counts as adversarial in the rounds in which it attacks; in the vote, where it attacked in the last round. One
 * that turns in the very round a decision is for could not be noticed yet, and counts all the same. The last decision is
 * the vote. What a failed episode did is left out of everything but its costs.
 */
export function reduceEpisode(record: EpisodeRecord): EpisodeNumbers {
  const { question, seed, sample, outcome, utility, calls, tokens, cost = 0 } = record;
  const failed = outcome === "failed";
  const graphs = failed ? record.decisions : record.decisions.slice(0, -1);
  const levels = graphs.map((decision) => decision.levels);
  if (record.rounds[0]?.some((utterance) => utterance !== null)) levels.push(1);
  const judged = failed ? [] : record.decisions;
  return {
    question,
    seed,
    sample,
    outcome,
    utility: failed ? 0 : utility,
    calls,
    tokens,
    cost,
    edges: graphs.reduce((total, { edges, temporal = [] }) => total + edges.length + temporal.length, 0),
    depth: Math.max(0, ...levels),
    levels: levels.reduce((total, level) => total + level, 0),
    ...countInfected(failed ? [] : record.rounds, record),
    graphs: countKept(judged.slice(0, -1), record),
    vote: countKept(judged.slice(-1), record),
    credits: compareCredits(judged.at(-1), record),
  };
}

function countInfected(
  rounds: EpisodeRecord["rounds"],
  record: EpisodeRecord,
): Pick<EpisodeNumbers, "infected" | "honest"> {
  const { target } = record;
  if (target === null) return { infected: [], honest: [] };
  const held: (string | null)[] = record.onsets.map(() => null);
  const infected: number[] = [];
  const honest: number[] = [];
  rounds.forEach((utterances, index) => {
    // Who made no call keeps the last answer.
    utterances.forEach((utterance, agent) => {
      if (utterance !== null) held[agent] = utterance.answer;
    });
    const honestAnswers = held.filter((_, agent) => !attacksIn(record, agent, index + 1));
    honest.push(honestAnswers.length);
    infected.push(honestAnswers.filter((answer) => answer === target).length);
  });
  return { infected, honest };
}

function countKept(decisions: readonly DecisionRecord[], record: EpisodeRecord): Kept {
  const kept = { adversaries: 0, adversariesKept: 0, honest: 0, honestKept: 0 };
  for (const { round, participants } of decisions) {
    participants.forEach((takesPart, agent) => {
      const side = attacksIn(record, agent, round) ? "adversaries" : "honest";
      kept[side]++;
      kept[`${side}Kept`] += takesPart;
    });
  }
  return kept;
}

/** Credits of the vote alone: those of the rounds order the graph, and an order is no judgement. */
function compareCredits(vote: DecisionRecord | undefined, record: EpisodeRecord): EpisodeNumbers["credits"] {
  if (vote === undefined) return { concordant: 0, pairs: 0, vary: false };
  const { round, credits } = vote;
  const honest = credits.filter((_, agent) => !attacksIn(record, agent, round));
  const adversarial = credits.filter((_, agent) => attacksIn(record, agent, round));
  return { ...countConcordant(honest, adversarial), vary: credits.some((credit) => credit !== credits[0]) };
}
