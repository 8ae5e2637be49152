import { groupBy } from "../../base/group-by.ts";
import { bootstrapMean } from "../../base/intervals.ts";
import type { Rng } from "../../base/rng.ts";
import { holm, signFlip } from "../../base/significance.ts";
import { mean, sum } from "../../base/stats.ts";
import type { Difference } from "../../contracts/workplace/results.ts";
import { communicationHoursOf, hoursOf } from "./measures.ts";
import type { WorkplaceNumbers } from "./numbers.ts";
import type { WorkplaceResultComparison } from "./schema.ts";
import type { WorkplacePlay } from "./sweep.ts";

/** Two-sided level of the verdicts. */
const LEVEL = 0.05;

/** The method that all others are compared with: the trained one, else C2C's, else the first. */
export const mainMethod = (methods: readonly string[]): string =>
  ["learned", "c2c"].find((name) => methods.includes(name)) ?? methods[0];

/**
 * Compares the main method with every other one in every cell, on the episodes both have played, paired by project, seed and
 * sample: the mean of the differences with a bootstrap interval over projects (and seeds), and a sign-flip test on the sums
 * by project; Holm over all comparisons made here, hours and communication each a family. Unfinished episodes count as the
 * limit.
 */
export function compareWorkplace(plays: readonly WorkplacePlay[], rng: Rng): WorkplaceResultComparison[] {
  const main = mainMethod([...new Set(plays.map(({ method }) => method))]);
  const couples = plays
    .filter(({ method }) => method === main)
    .flatMap((own) =>
      plays.filter(({ method, cell }) => method !== main && cell === own.cell).map((other) => ({ own, other })),
    )
    .map(({ own, other }) => ({ own, other, pairs: pairUp(own.episodes, other.episodes) }))
    .filter(({ pairs }) => pairs.length > 0);
  // The least p a permutation test can give must stay far below the level after Holm's adjustment.
  const draws = Math.max(9999, 100 * couples.length);
  const differ = (amountOf: (episode: WorkplaceNumbers) => number) =>
    adjust(couples.map(({ pairs }) => differenceOf(pairs, amountOf, draws, rng)));
  const hours = differ(hoursOf);
  const talk = differ(communicationHoursOf);
  return couples.map(({ own, other, pairs }, k) => ({
    ...own.cell,
    method: main,
    reference: other.method,
    pairs: pairs.length,
    projects: new Set(pairs.map(([{ question }]) => question)).size,
    hours: { ...hours[k], verdict: verdictOf(hours[k], "faster", "slower") },
    communicationHours: { ...talk[k], verdict: verdictOf(talk[k], "less", "more") },
  }));
}

type Pair = readonly [WorkplaceNumbers, WorkplaceNumbers];

function pairUp(own: readonly WorkplaceNumbers[], others: readonly WorkplaceNumbers[]): Pair[] {
  const keyOf = ({ question, seed, sample }: WorkplaceNumbers): string => `${question} ${seed} ${sample}`;
  const known = new Map(others.map((episode) => [keyOf(episode), episode]));
  return own.flatMap((episode): Pair[] => {
    const other = known.get(keyOf(episode));
    return other === undefined ? [] : [[episode, other]];
  });
}

function differenceOf(
  pairs: readonly Pair[],
  amountOf: (episode: WorkplaceNumbers) => number,
  draws: number,
  rng: Rng,
): Difference {
  const measured = pairs.map(([own, other]) => ({
    cluster: own.question,
    block: own.seed,
    value: amountOf(own) - amountOf(other),
  }));
  const byProject = [...groupBy(measured, ({ cluster }) => cluster).values()].map((group) =>
    sum(group.map(({ value }) => value)),
  );
  return {
    mean: mean(measured.map(({ value }) => value)),
    ...bootstrapMean(measured, rng.fork("bootstrap")),
    p: signFlip(byProject, rng.fork("sign-flip"), draws),
  };
}

type Adjusted = Difference & { readonly pHolm: number };

function adjust(family: readonly Difference[]): Adjusted[] {
  const adjusted = holm(family.map(({ p }) => p));
  return family.map((difference, k) => ({ ...difference, pHolm: adjusted[k] }));
}

function verdictOf<T extends string>({ mean, low, high, pHolm }: Adjusted, below: T, above: T) {
  if (pHolm >= LEVEL || (low <= 0 && high >= 0)) return "no measurable difference" as const;
  return mean < 0 ? below : above;
}
