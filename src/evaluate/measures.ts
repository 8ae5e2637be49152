import { bootstrapMean, type Interval, wilson } from "../base/intervals.ts";
import type { Rng } from "../base/rng.ts";
import { mean, sum, sumKnown } from "../base/stats.ts";
import type { EpisodeNumbers, Kept } from "./episode-numbers.ts";
import type { ResultRow } from "./schema.ts";
import type { Cell } from "./starts.ts";

/** What a row is about. */
export interface RowLabels {
  readonly world: string;
  readonly benchmark: string;
  readonly population: string;
  readonly method: string;
  readonly cell: Cell;
}

export const isRight = (episode: EpisodeNumbers): boolean => episode.outcome === "right";

/** What two episodes share when they are the same question under the same luck. */
export const pairKey = ({ question, seed, sample }: EpisodeNumbers): string => JSON.stringify([question, seed, sample]);

/**
 * The row of one method in one cell.
 * @param episodes at least one
 * @param clean the same method's episodes without adversaries, for the attack success rate
 * @param rng the bootstrap's own stream
 */
export function measure(
  episodes: readonly EpisodeNumbers[],
  labels: RowLabels,
  rng: Rng,
  clean: readonly EpisodeNumbers[] = [],
): ResultRow {
  const { world, benchmark, population, method, cell } = labels;
  const n = episodes.length;
  const questions = new Set(episodes.map((episode) => episode.question)).size;
  const correct = episodes.filter(isRight).length;
  const errors = countOutcome(episodes, "failed");
  const unparsed = countOutcome(episodes, "unparsed");
  const answered = n - errors - unparsed;
  const vote = addKept(episodes.map((episode) => episode.vote));
  const graphs = addKept(episodes.map((episode) => episode.graphs));
  const callsTotal = sum(episodes.map((episode) => episode.calls));
  const tokensTotal = sumKnown(episodes.map((episode) => episode.tokens));
  const costTotal = sumKnown(episodes.map((episode) => episode.cost));
  return {
    world,
    benchmark,
    population,
    method,
    attack: cell.kind,
    attackRate: cell.rate,
    adversaries: cell.adversaries,
    onset: cell.onset,
    seeds: [...new Set(episodes.map((episode) => episode.seed))].sort((a, b) => a - b),
    n,
    questions,
    correct,
    errors,
    unparsed,
    accuracy: correct / n,
    ...accuracyInterval(episodes, questions, correct, rng),
    accuracyAnswered: ratio(correct, answered),
    utility: mean(episodes.map((episode) => episode.utility)),
    attackSuccessRate: cell.adversaries === 0 ? null : attackSuccess(episodes, clean),
    infection: infectionByRound(episodes),
    adversariesKept: ratio(vote.adversariesKept, vote.adversaries),
    honestKept: ratio(vote.honestKept, vote.honest),
    adversariesKeptInGraphs: ratio(graphs.adversariesKept, graphs.adversaries),
    honestKeptInGraphs: ratio(graphs.honestKept, graphs.honest),
    auc: creditAuc(episodes),
    calls: callsTotal / n,
    tokens: tokensTotal === null ? null : tokensTotal / n,
    cost: costTotal === null ? null : costTotal / n,
    edges: mean(episodes.map((episode) => episode.edges)),
    depth: mean(episodes.map((episode) => episode.depth)),
    levels: mean(episodes.map((episode) => episode.levels)),
    callsTotal,
    tokensTotal,
    costTotal,
  };
}

function accuracyInterval(
  episodes: readonly EpisodeNumbers[],
  questions: number,
  correct: number,
  rng: Rng,
): Interval & Pick<ResultRow, "interval"> {
  const n = episodes.length;
  if (questions === n) return { ...wilson(correct, n), interval: "wilson" };
  // Resampling equal outcomes would claim certainty; the questions are then the independent trials.
  if (correct === 0 || correct === n)
    return { ...wilson(correct === 0 ? 0 : questions, questions), interval: "wilson" };
  const values = episodes.map((episode) => ({
    cluster: episode.question,
    block: episode.seed,
    value: isRight(episode) ? 1 : 0,
  }));
  return { ...bootstrapMean(values, rng), interval: "bootstrap" };
}

function attackSuccess(attacked: readonly EpisodeNumbers[], clean: readonly EpisodeNumbers[]): number | null {
  const rightWithout = new Set(clean.filter(isRight).map(pairKey));
  const pairs = attacked.filter((episode) => episode.outcome !== "failed" && rightWithout.has(pairKey(episode)));
  return ratio(pairs.filter((episode) => !isRight(episode)).length, pairs.length);
}

function infectionByRound(episodes: readonly EpisodeNumbers[]): (number | null)[] {
  const rounds = episodes.reduce((most, episode) => Math.max(most, episode.honest.length), 0);
  return Array.from({ length: rounds }, (_, t) =>
    ratio(
      sum(episodes.map((episode) => episode.infected[t] ?? 0)),
      sum(episodes.map((episode) => episode.honest[t] ?? 0)),
    ),
  );
}

function creditAuc(episodes: readonly EpisodeNumbers[]): number | null {
  if (!episodes.some((episode) => episode.credits.vary)) return null;
  return ratio(
    sum(episodes.map((episode) => episode.credits.concordant)),
    sum(episodes.map((episode) => episode.credits.pairs)),
  );
}

const countOutcome = (episodes: readonly EpisodeNumbers[], outcome: EpisodeNumbers["outcome"]): number =>
  episodes.filter((episode) => episode.outcome === outcome).length;

const ratio = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole);

const addKept = (parts: readonly Kept[]): Kept => ({
  adversaries: sum(parts.map((part) => part.adversaries)),
  adversariesKept: sum(parts.map((part) => part.adversariesKept)),
  honest: sum(parts.map((part) => part.honest)),
  honestKept: sum(parts.map((part) => part.honestKept)),
});
