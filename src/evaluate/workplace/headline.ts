import { mean } from "../../base/stats.ts";
import { list } from "../standings.ts";
import { describeCell } from "./cells.ts";
import { mainMethod } from "./compare.ts";
import type { WorkplaceResultComparison, WorkplaceResultRow, WorkplaceResults } from "./schema.ts";

/**
 * What came of it in plain words, a sentence or two each: whether training helped, how the main method stands to every other
 * one, and what was not finished. An incomplete run is called so first.
 */
export function workplaceHeadline(
  rows: readonly WorkplaceResultRow[],
  comparisons: readonly WorkplaceResultComparison[],
  { complete, played, planned }: Pick<WorkplaceResults, "complete" | "played" | "planned">,
): string[] {
  const main = rows.length === 0 ? "" : mainMethod(rows.map(({ method }) => method));
  const references = [...new Set(comparisons.map(({ reference }) => reference))];
  const standings = references.map((reference) =>
    describeStanding(
      main,
      reference,
      comparisons.filter((comparison) => comparison.reference === reference),
    ),
  );
  return [
    ...(complete ? [] : [`INCOMPLETE RUN (${played} of ${planned} episodes).`]),
    ...(main === "learned" && references.includes("c2c") ? [describeTraining(comparisons)] : []),
    ...standings,
    ...describeUnfinished(rows),
  ];
}

/** Training has helped in a cell where it is measurably faster than C2C at no measurably higher communication cost. */
function describeTraining(comparisons: readonly WorkplaceResultComparison[]): string {
  const own = comparisons.filter(({ reference }) => reference === "c2c");
  const helped = own.filter(
    ({ hours, communicationHours }) => hours.verdict === "faster" && communicationHours.verdict !== "more",
  );
  if (helped.length === own.length)
    return "Training helped everywhere: sooner done than c2c, at no higher cost of communication.";
  if (helped.length === 0)
    return "There is no measurable gain from training over c2c at no higher cost of communication.";
  return `Training helped in ${helped.length} of ${own.length} cells: ${list(helped.map(describeCell))}.`;
}

function describeStanding(main: string, reference: string, own: readonly WorkplaceResultComparison[]): string {
  const count = (verdicts: readonly string[]): string => {
    const groups = [...new Set(verdicts)].map((verdict) => {
      const times = verdicts.filter((other) => other === verdict).length;
      return times === own.length
        ? `${verdict}${own.length === 1 ? "" : ` in all ${own.length} cells`}`
        : `${verdict} in ${times}`;
    });
    return list(groups);
  };
  const average = (of: (comparison: WorkplaceResultComparison) => { readonly mean: number }): string =>
    signed(mean(own.map((comparison) => of(comparison).mean)));
  return `${main} against ${reference}: ${count(own.map(({ hours }) => hours.verdict))} (${average(({ hours }) => hours)} h on average); communication: ${count(own.map(({ communicationHours }) => communicationHours.verdict))} (${average(({ communicationHours }) => communicationHours)} h).`;
}

function describeUnfinished(rows: readonly WorkplaceResultRow[]): string[] {
  const short = rows.filter(({ completed }) => completed < 1);
  if (short.length === 0) return [];
  const worst = short.reduce((least, row) => (row.completed < least.completed ? row : least));
  return [
    `Not everything was finished within 40 hours: the least of ${worst.method} (${describeCell(worst)}), ${Math.round(100 * worst.completed)} %.`,
  ];
}

const signed = (value: number): string => `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(2)}`;
