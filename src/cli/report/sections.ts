import { catalogue } from "../../assemble/index.ts";
import type { Table } from "../../base/table.ts";
import {
  accuracyTables,
  type CreditRow,
  comparisonTables,
  type ResultRow,
  type Results,
} from "../../evaluate/index.ts";
import { accuracyFigures, costFigures, forestFigures } from "../../report/figures/accuracy-figures.ts";
import { creditFigures } from "../../report/figures/credit-figures.ts";
import { type LearningScore, learningFigures } from "../../report/figures/learning-figures.ts";
import type { RunMetrics } from "../../report/files/metrics.ts";
import type { ReportSection } from "../../report/report-data.ts";

/** The method that all others are compared with. */
export const mainMethod = ({ comparisons, rows }: Pick<Results, "comparisons" | "rows">): string =>
  comparisons[0]?.reference ??
  (rows.some(({ method }) => method === "learned") ? "learned" : rows[0]?.method) ??
  "learned";

/** How well every method did, in each cell, at what cost. */
export function judgedSections(results: Results): ReportSection[] {
  const { rows, comparisons } = results;
  const main = mainMethod(results);
  if (rows.length === 0) return [];
  const errors = rows.reduce((sum, row) => sum + row.errors, 0);
  const unparsed = rows.reduce((sum, row) => sum + row.unparsed, 0);
  const lost =
    errors + unparsed === 0
      ? ""
      : ` ${errors} episodes failed and ${unparsed} brought no readable answer; they count as not right.`;
  return [
    {
      heading: "Accuracy under attack",
      text: `Every method played the same questions against the same adversaries.${lost}`,
      figures: accuracyFigures(rows, main),
      tables: accuracyTables(rows),
    },
    {
      heading: "Every method in every cell",
      text: `All methods, the best first. The dashed line goes down from ${main}; hollow marks are those it does not measurably differ from, after Holm's adjustment for all comparisons.`,
      figures: forestFigures(rows, main, comparisons),
      tables: [describeMethods([...new Set(rows.map(({ method }) => method))])],
    },
    {
      heading: "What it costs",
      text: "Calls of agents an episode, against accuracy. Fewer calls and more right answers are better: up and to the left.",
      figures: costFigures(rows, main),
    },
  ];
}

/** What stands behind the names; docs/methods.md tells more. */
function describeMethods(names: readonly string[]): { readonly title: string; readonly table: Table } {
  const { methods } = catalogue();
  const known = names.filter((name) => Object.hasOwn(methods, name));
  return {
    title: "What the methods do. Rivals and ablations were trained for as many agent calls as the policy.",
    table: {
      columns: [{ title: "method" }, { title: "what it does" }],
      rows: known.map((name) => [name, methods[name]]),
    },
  };
}

/** Every paired comparison: long, so it stands last. */
export function comparisonSection({ comparisons }: Results): ReportSection[] {
  if (comparisons.length === 0) return [];
  return [{ heading: "Every comparison", tables: comparisonTables(comparisons) }];
}

/** Whom the policy trusts. @param place where the credits were counted, in words */
export function creditSection(credits: readonly CreditRow[], main: string, place: string): ReportSection[] {
  const method = credits.some((row) => row.method === main) ? main : credits[0]?.method;
  const figures = method === undefined ? [] : creditFigures(credits, method);
  if (figures.length === 0) return [];
  return [
    {
      heading: "Credits of honest and adversarial agents",
      text: `${place} An agent counts as adversarial in the rounds in which it attacks, and in the vote if it attacked in the last one. Where the bands part, the policy tells the sides apart.`,
      figures,
    },
  ];
}

/** What becomes of adversaries under the trained method. */
export function teamSection(results: Results): ReportSection[] {
  const main = mainMethod(results);
  const rows = results.rows.filter(({ method, adversaries }) => method === main && adversaries > 0);
  if (rows.length === 0) return [];
  return [
    {
      heading: "Who gets through",
      text: "Attack success: of the episodes that are right without adversaries, those that no longer are. Infected: honest agents who hold the adversaries' answer in the last round. Kept: agents that take part, in the graphs of all rounds and in the vote. AUC: the chance that an honest agent's credit exceeds an adversary's; .50 is a coin.",
      tables: [{ title: `${main} under attack`, table: teamTable(rows) }],
    },
  ];
}

function teamTable(rows: readonly ResultRow[]): Table {
  const right = (title: string) => ({ title, align: "right" as const });
  return {
    columns: [
      { title: "attack, onset" },
      ...["adversaries", "attack success", "infected", "adversaries in graphs", "honest in graphs"].map(right),
      ...["adversaries in vote", "honest in vote", "AUC"].map(right),
    ],
    rows: rows.map((row) => [
      `${row.attack}, ${row.onset}`,
      String(row.adversaries),
      ...[row.attackSuccessRate, row.infection.at(-1) ?? null].map(share),
      ...[row.adversariesKeptInGraphs, row.honestKeptInGraphs, row.adversariesKept, row.honestKept, row.auc].map(share),
    ]),
  };
}

const share = (value: number | null): string => (value === null ? "–" : value.toFixed(2).replace(/^0\./, "."));

/** How the policy was learned. */
export function learningSection(runs: readonly RunMetrics[], score: LearningScore = "accuracy"): ReportSection[] {
  const figures = learningFigures(runs, score);
  return figures.length === 0 ? [] : [{ heading: "How it learned", figures }];
}
