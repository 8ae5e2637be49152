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
    ...(main === "learned" && ["c2c", "untrained"].every((name) => references.includes(name))
      ? [describeTraining(comparisons)]
      : []),
    ...standings,
    ...describeUnfinished(rows),
    ...describeFaults(rows),
  ];
}

/**
 * What training has done. It helped in a cell where the policy is measurably faster than before training and than C2C; that
 * this costs no more communication is said where the whole interval lies at or below 0, not where a test found nothing.
 */
function describeTraining(comparisons: readonly WorkplaceResultComparison[]): string {
  const own = comparisons.filter(({ reference }) => reference === "c2c");
  const isFaster = (reference: string, cell: string): boolean =>
    comparisons.some((c) => c.reference === reference && describeCell(c) === cell && c.hours.verdict === "faster");
  const helped = own.filter((c) => isFaster("c2c", describeCell(c)) && isFaster("untrained", describeCell(c)));
  if (helped.length === 0) return "No gain from training can be measured: nowhere faster than both c2c and untrained.";
  const where = helped.length === own.length ? "everywhere" : `in ${helped.length} of ${own.length} cells`;
  const cheap = helped.filter(({ communicationHours }) => communicationHours.high <= 0);
  const cost =
    cheap.length === helped.length
      ? "at less or equal cost of communication"
      : `at less or equal cost of communication in ${cheap.length} of these ${helped.length} cells`;
  return `Training helped ${where}: this policy is done sooner than untrained and c2c, ${cost}.`;
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
    `Not everything was finished within the 40 hours of an episode: the least of ${worst.method} (${describeCell(worst)}), ${Math.round(100 * worst.completed)} %.`,
  ];
}

/** More faults or unreadable replies an episode than this are told of: the numbers are then about those as well. */
const fewFaults = 1;

function describeFaults(rows: readonly WorkplaceResultRow[]): string[] {
  const faulty = rows.filter(({ faults, malformed }) => faults + malformed > fewFaults);
  if (faulty.length === 0) return [];
  const worst = faulty.reduce((most, row) => (row.faults + row.malformed > most.faults + most.malformed ? row : most));
  const { method, faults, malformed } = worst;
  return [
    `MINDS FAILED: up to ${faults.toFixed(1)} faults and ${malformed.toFixed(1)} unreadable replies an episode (${method}, ${describeCell(worst)}); agents worked instead, so methods with different shares of these cannot be compared.`,
  ];
}

const signed = (value: number): string => `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(2)}`;
