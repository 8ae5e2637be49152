import { mean } from "../base/stats.ts";
import type { Comparison, ResultRow } from "./schema.ts";
import { comparisonsWith, describeStandings, list, type Standing, standingsByCell } from "./standings.ts";

/** What training has to beat before anyone may say that it helped. */
export const headlineBaselines = ["untrained", "vote-first", "complete", "single"] as const;

export interface HeadlineSettings {
  readonly complete: boolean;
  readonly played: number;
  readonly planned: number;
  /** Name of the trained method. Default `learned`. */
  readonly learned?: string;
  readonly baselines?: readonly string[];
  /** Other learners; the headline says where one of them is level or better. Default none. */
  readonly rivals?: readonly string[];
  /** The learner with one thing changed; the headline names those that do better. Default none. */
  readonly ablations?: readonly string[];
}

/**
 * Says in plain words whether training helped: it did in a cell only if the trained method is measurably better than every
 * baseline there. An incomplete run is called so first.
 */
export function headline(comparisons: readonly Comparison[], settings: HeadlineSettings): string {
  const {
    complete,
    played,
    planned,
    learned = "learned",
    baselines = headlineBaselines,
    rivals = [],
    ablations = [],
  } = settings;
  const relevant = comparisonsWith(comparisons, learned, baselines);
  const flag = complete ? "" : `INCOMPLETE RUN (${played} of ${planned} episodes). `;
  if (relevant.length === 0) {
    return `${flag}This run cannot say whether training helped: nothing compares ${learned} with ${list(baselines)}.`;
  }
  const standings = standingsByCell(relevant);
  const missing = baselines.filter((name) => !relevant.some(({ method }) => method === name));
  const verdict =
    missing.length > 0
      ? `Whether training helped cannot be said without ${list(missing)}.`
      : summarise(standings, baselines.length);
  const sentences = [verdict, `${learned} is ${describeStandings(standings)}.`];
  const others = comparisonsWith(comparisons, learned, rivals);
  if (others.length > 0) sentences.push(describeRivals(standingsByCell(others)));
  const better = standingsByCell(comparisonsWith(comparisons, learned, ablations)).filter(
    ({ worseThan }) => worseThan.length > 0,
  );
  if (better.length > 0) sentences.push(describeAblations(better));
  return `${flag}${[...sentences, ...describeNeed([...relevant, ...others])].join(" ")}`;
}

const describeAblations = (standings: readonly Standing[]): string =>
  `Of its own ablations ${standings.map(({ cell, worseThan }) => `${list(worseThan)} at ${cell}`).join(", ")} ${standings.length === 1 && standings[0].worseThan.length === 1 ? "does" : "do"} better.`;

/** Where another learner is level or better; the cells in which none is are named together. */
function describeRivals(standings: readonly Standing[]): string {
  const beaten = standings.filter(({ worseThan, levelWith }) => worseThan.length + levelWith.length === 0);
  if (beaten.length === standings.length) return "No rival learner is level or better in any cell.";
  const open = standings.filter((standing) => !beaten.includes(standing));
  const matched = describeStandings(open.map((standing) => ({ ...standing, betterThan: [] })));
  const rest = beaten.length === 0 ? "" : `; better than every one of them at ${list(beaten.map(({ cell }) => cell))}`;
  return `Against rival learners it is ${matched}${rest}.`;
}

/** @param baselines how many a cell must be compared with: one that an interrupted run left out may be level */
function summarise(standings: readonly Standing[], baselines: number): string {
  const helped = standings.filter(({ betterThan }) => betterThan.length === baselines);
  const hurt = standings.filter(({ worseThan }) => worseThan.length > 0);
  const cells = (some: readonly Standing[]): string => list(some.map(({ cell }) => cell));
  const losses = hurt.length === 0 ? "" : ` and did worse than a baseline at ${cells(hurt)}`;
  if (helped.length === standings.length) return "Training helped at every attack rate.";
  if (helped.length > 0)
    return `Training helped at attack rate ${cells(helped)}${losses}; elsewhere there is no measurable gain over every baseline.`;
  return `There is no measurable gain from training over every baseline at any attack rate${losses}.`;
}

/** How far the undecided comparisons are from showing 3 points. */
function describeNeed(comparisons: readonly Comparison[]): string[] {
  const needs = comparisons
    .filter(({ verdict }) => verdict === "no measurable difference")
    .flatMap(({ questionsNeeded }) => questionsNeeded ?? []);
  if (needs.length === 0) return [];
  const played = Math.max(...comparisons.map(({ questions }) => questions));
  return [`To see 3 points everywhere would take about ${Math.max(...needs)} questions; ${played} were played.`];
}

/** Credits that rank honest agents above adversarial ones no better than this, on average, tell too little to act on. */
const TELLING = 0.65;

/**
 * Says whether the credits tell adversaries apart, and whether the trained method beats the plain round-1 vote in some
 * attacked cell. Single cells mislead: where nothing betrays an adversary, a policy can still distrust the majority, which
 * pays at high attack rates and costs as much at low ones; so the AUC is averaged over the attacked cells.
 * @returns an empty text where nobody attacked
 */
export function describeDetection(
  comparisons: readonly Comparison[],
  rows: readonly ResultRow[],
  learned = "learned",
): string {
  const aucs = rows.flatMap(({ method, adversaries, auc }) =>
    method === learned && adversaries > 0 && auc !== null ? [auc] : [],
  );
  if (aucs.length === 0) return "";
  const average = mean(aucs);
  const ranking = `mean AUC of its credits in the vote ${average.toFixed(2)}; .50 is chance`;
  if (average < TELLING) {
    return `Detection gains nothing: ${learned} cannot tell adversaries from honest agents (${ranking}).`;
  }
  const votes = comparisonsWith(comparisons, learned, ["vote-first"]).filter(({ adversaries }) => adversaries > 0);
  if (votes.length === 0)
    return `The credits tell adversaries from honest agents (${ranking}); whether that pays is not known without vote-first.`;
  return votes.some(({ verdict }) => verdict === "worse")
    ? `Telling adversaries apart pays (${ranking}).`
    : `Detection gains nothing: ${learned} beats the plain vote in no attacked cell (${ranking}).`;
}

/** Says so where the trained method never lets one agent hear another; its gain is then one of whom to trust. */
export function describeTalk(rows: readonly ResultRow[], learned = "learned"): string {
  const own = rows.filter(({ method }) => method === learned);
  return own.length > 0 && own.every(({ edges }) => edges === 0) ? `${learned} lets nobody hear anybody.` : "";
}
