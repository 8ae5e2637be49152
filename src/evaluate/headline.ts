import { mean } from "../base/stats.ts";
import type { Comparison, ResultRow } from "./schema.ts";

/** What training has to beat before anyone may say that it helped. */
export const headlineBaselines = ["untrained", "vote-first", "complete", "single"] as const;

export interface HeadlineSettings {
  readonly complete: boolean;
  readonly played: number;
  readonly planned: number;
  /** Name of the trained method. Default `learned`. */
  readonly learned?: string;
  readonly baselines?: readonly string[];
}

/** The baselines of one cell, by how the trained method stands to them. */
interface Standing {
  readonly cell: string;
  readonly worseThan: readonly string[];
  readonly levelWith: readonly string[];
  readonly betterThan: readonly string[];
}

/**
 * Says in plain words whether training helped: it did in a cell only if the trained method is measurably better than every
 * baseline there. An incomplete run is called so first.
 */
export function headline(comparisons: readonly Comparison[], settings: HeadlineSettings): string {
  const { complete, played, planned, learned = "learned", baselines = headlineBaselines } = settings;
  const relevant = comparisons
    .map((comparison) => (comparison.method === learned ? turnRound(comparison) : comparison))
    .filter(({ method, reference }) => reference === learned && baselines.includes(method));
  const flag = complete ? "" : `INCOMPLETE RUN (${played} of ${planned} episodes). `;
  if (relevant.length === 0) {
    return `${flag}This run cannot say whether training helped: nothing compares ${learned} with ${list(baselines)}.`;
  }
  const standings = standingsByCell(relevant);
  const sentences = [summarise(standings), `${learned} is ${describeStandings(standings)}.`];
  const missing = baselines.filter((name) => !relevant.some(({ method }) => method === name));
  if (missing.length > 0) sentences.push(`Not compared with ${list(missing)}.`);
  return `${flag}${[...sentences, ...describeNeed(relevant)].join(" ")}`;
}

/** The same comparison seen from its method; of its numbers only those without a direction are used here. */
function turnRound(comparison: Comparison): Comparison {
  const { method, reference, verdict } = comparison;
  const turned = verdict === "better" ? "worse" : verdict === "worse" ? "better" : verdict;
  return { ...comparison, method: reference, reference: method, verdict: turned };
}

function standingsByCell(comparisons: readonly Comparison[]): Standing[] {
  const several = (key: "attack" | "onset"): boolean =>
    new Set(comparisons.filter(({ adversaries }) => adversaries > 0).map((c) => c[key])).size > 1;
  const [severalAttacks, severalOnsets] = [several("attack"), several("onset")];
  const nameOf = ({ attack, attackRate, adversaries, onset }: Comparison): string => {
    const details = adversaries === 0 ? [] : [severalAttacks && attack, severalOnsets && onset].filter(Boolean);
    return details.length === 0 ? `${attackRate}` : `${attackRate} (${details.join(", ")})`;
  };
  return [...new Set(comparisons.map(nameOf))].map((cell) => {
    const here = comparisons.filter((comparison) => nameOf(comparison) === cell);
    // A verdict is about the baseline, seen from the trained method.
    const named = (verdict: Comparison["verdict"]): string[] =>
      here.filter((comparison) => comparison.verdict === verdict).map(({ method }) => method);
    return {
      cell,
      worseThan: named("better"),
      levelWith: named("no measurable difference"),
      betterThan: named("worse"),
    };
  });
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

/** Cells with the same standing are named together. */
function describeStandings(standings: readonly Standing[]): string {
  const cellsOf = new Map<string, string[]>();
  for (const { cell, worseThan, levelWith, betterThan } of standings) {
    const text = [
      worseThan.length > 0 && `worse than ${list(worseThan)}`,
      levelWith.length > 0 && `not measurably different from ${list(levelWith)}`,
      betterThan.length > 0 && `better than ${list(betterThan)}`,
    ]
      .filter(Boolean)
      .join(", ");
    cellsOf.set(text, [...(cellsOf.get(text) ?? []), cell]);
  }
  return [...cellsOf].map(([text, cells]) => `at ${list(cells)} ${text}`).join("; ");
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

function list(names: readonly string[]): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
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
