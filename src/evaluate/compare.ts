import { ColloquyError, suggest } from "../base/errors.ts";
import { bootstrapMean, type Measurement } from "../base/intervals.ts";
import type { Rng } from "../base/rng.ts";
import { holm, mcNemar, signFlip } from "../base/significance.ts";
import { mean, questionsNeeded, sum, variance } from "../base/stats.ts";
import type { EpisodeNumbers } from "./episode-numbers.ts";
import { isRight, pairKey } from "./measures.ts";
import type { Comparison } from "./schema.ts";
import { describeCell } from "./starts.ts";
import type { Play } from "./sweep.ts";

export interface CompareSettings {
  /** The method all others are compared with; default `learned`, else the first. */
  readonly reference?: string;
  /** Right answers (default) or task utility. */
  readonly by?: Comparison["by"];
  /** Compare although one method failed more often than the other; failures then count as not right. */
  readonly allowErrorDifference?: boolean;
  /** Stream of the bootstrap and the permutations. */
  readonly rng: Rng;
}

/** Two-sided level of the verdicts. */
const LEVEL = 0.05;

/**
 * Compares every method with the reference in every cell, on the episodes both have played, paired by question, seed and
 * sample. Exact McNemar where each question is played once, else a sign-flip test on the per-question differences; Holm
 * over all comparisons made here.
 * @throws ColloquyError `evaluate/reference` for an unknown one, `evaluate/error-shares` when failures are not equally
 * frequent on both sides
 */
export function compare(plays: readonly Play[], settings: CompareSettings): Comparison[] {
  const reference = chooseReference(plays, settings.reference);
  const opponents = plays
    .filter((play) => play.method === reference)
    .flatMap((base) =>
      plays.filter((play) => play.method !== reference && play.cell === base.cell).map((play) => ({ play, base })),
    );
  // The least p a permutation test can give must stay far below the level after Holm's adjustment.
  const draws = Math.max(9999, 100 * opponents.length);
  const made = opponents
    .map(({ play, base }) => comparePair(play, base, draws, settings))
    .filter((comparison) => comparison !== null);
  const adjusted = holm(made.map(({ p }) => p));
  return made.map((comparison, index) => ({
    ...comparison,
    pHolm: adjusted[index],
    verdict: verdictOf(comparison, adjusted[index]),
  }));
}

/**
 * The test asks about the questions played; with several seeds the interval also holds the luck of splits and training.
 * Only where both leave 0 out does a difference count as measured.
 */
function verdictOf({ difference, low, high }: Pick<Comparison, "difference" | "low" | "high">, pHolm: number) {
  if (pHolm >= LEVEL || (low <= 0 && high >= 0)) return "no measurable difference";
  return difference > 0 ? "better" : "worse";
}

function chooseReference(plays: readonly Play[], wanted: string | undefined): string | undefined {
  const names = [...new Set(plays.map((play) => play.method))];
  if (wanted === undefined) return names.includes("learned") ? "learned" : names[0];
  if (names.includes(wanted)) return wanted;
  throw new ColloquyError("evaluate/reference", `the reference "${wanted}" is none of the methods played`, {
    hint: suggest(wanted, names),
  });
}

/** `null` where the two have no episode in common, as an interrupted run may leave it. */
function comparePair(
  play: Play,
  base: Play,
  draws: number,
  { by = "accuracy", allowErrorDifference = false, rng }: CompareSettings,
): Omit<Comparison, "pHolm" | "verdict"> | null {
  const others = new Map(base.episodes.map((episode) => [pairKey(episode), episode]));
  const pairs = play.episodes.flatMap((episode): [EpisodeNumbers, EpisodeNumbers][] => {
    const other = others.get(pairKey(episode));
    return other === undefined ? [] : [[episode, other]];
  });
  if (pairs.length === 0) return null;
  if (!allowErrorDifference) refuseErrorDifference(play, base, pairs);

  const score = (episode: EpisodeNumbers): number => (by === "utility" ? episode.utility : isRight(episode) ? 1 : 0);
  const measurements = pairs.map(([ours, theirs]) => ({
    cluster: ours.question,
    block: ours.seed,
    value: score(ours) - score(theirs),
  }));
  const differences = measurements.map(({ value }) => value);
  const byQuestion = groupByQuestion(measurements);
  const exact = byQuestion.length === pairs.length && differences.every((d) => d === 0 || Math.abs(d) === 1);
  const questionMeans = byQuestion.map(mean);
  return {
    method: play.method,
    reference: base.method,
    attack: play.cell.kind,
    attackRate: play.cell.rate,
    adversaries: play.cell.adversaries,
    onset: play.cell.onset,
    by,
    n: pairs.length,
    questions: byQuestion.length,
    difference: mean(differences),
    ...bootstrapMean(measurements, rng.fork("bootstrap")),
    test: exact ? "mcnemar" : "sign-flip",
    // Sums by question, so that the test is about the same mean that is shown.
    p: exact
      ? mcNemar(differences.filter((d) => d > 0).length, differences.filter((d) => d < 0).length)
      : signFlip(byQuestion.map(sum), rng.fork("sign-flip"), draws),
    questionsNeeded: questionMeans.length < 2 ? null : questionsNeeded(variance(questionMeans)),
  };
}

function groupByQuestion(measurements: readonly Measurement[]): number[][] {
  const groups = new Map<string, number[]>();
  for (const { cluster, value } of measurements) {
    const group = groups.get(cluster);
    if (group) group.push(value);
    else groups.set(cluster, [value]);
  }
  return [...groups.values()];
}

function refuseErrorDifference(play: Play, base: Play, pairs: readonly (readonly [EpisodeNumbers, EpisodeNumbers])[]) {
  const ours = pairs.filter(([episode]) => episode.outcome === "failed").length;
  const theirs = pairs.filter(([, episode]) => episode.outcome === "failed").length;
  if (ours === theirs) return;
  throw new ColloquyError(
    "evaluate/error-shares",
    `${play.method} failed in ${ours} of ${pairs.length} episodes and ${base.method} in ${theirs}, ${describeCell(play.cell)}: they are not compared`,
    { hint: "Find out why episodes fail, or allow the difference; failed episodes then count as not right." },
  );
}
