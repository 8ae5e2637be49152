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
}

/**
 * Says in plain words whether training helped: it did in a cell only if the trained method is measurably better than every
 * baseline there. An incomplete run is called so first.
 */
export function headline(comparisons: readonly Comparison[], settings: HeadlineSettings): string {
  const { complete, played, planned, learned = "learned", baselines = headlineBaselines, rivals = [] } = settings;
  const relevant = comparisonsWith(comparisons, learned, baselines);
  const flag = complete ? "" : `INCOMPLETE RUN (${played} of ${planned} episodes). `;
  if (relevant.length === 0) {
    return `${flag}This run cannot say whether training helped: nothing compares ${learned} with ${list(baselines)}.`;
  }
  const standings = standingsByCell(relevant);
  const sentences = [summarise(standings), `${learned} is ${describeStandings(standings)}.`];
  const missing = baselines.filter((name) => !relevant.some(({ method }) => method === name));
  if (missing.length > 0) sentences.push(`Not compared with ${list(missing)}.`);
  const others = comparisonsWith(comparisons, learned, rivals);
  if (others.length > 0) sentences.push(describeRivals(standingsByCell(others)));
  return `${flag}${[...sentences, ...describeNeed(relevant)].join(" ")}`;
}

/** Where another learner is level or better; the cells in which none is are named together. */
function describeRivals(standings: readonly Standing[]): string {
  const beaten = standings.filter(({ worseThan, levelWith }) => worseThan.length + levelWith.length === 0);
  if (beaten.length === standings.length) return "No rival learner is level or better in any cell.";
  const open = standings.filter((standing) => !beaten.includes(standing));
  const matched = describeStandings(open.map((standing) => ({ ...standing, betterThan: [] })));
  const rest = beaten.length === 0 ? "" : `; better than every one of them at ${list(beaten.map(({ cell }) => cell))}`;
  return `Against rival learners it is ${matched}${rest}.`;
}

function summarise(standings: readonly Standing[]): string {
  const helped = standings.filter(({ worseThan, levelWith }) => worseThan.length + levelWith.length === 0);
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
  const isBetterSomewhere = comparisons.some(
    ({ method, reference, adversaries, verdict }) =>
      method === "vote-first" && reference === learned && adversaries > 0 && verdict === "worse",
  );
  return isBetterSomewhere
    ? `Telling adversaries apart pays (${ranking}).`
    : `Detection gains nothing: ${learned} beats the plain vote in no attacked cell (${ranking}).`;
}
