import { groupBy } from "../../../base/group-by.ts";
import type { Column, Table } from "../../../base/table.ts";
import type { Difference, Estimate, WorkplaceComparison, WorkplaceRow } from "../../../contracts/workplace/results.ts";
import { nameCell, nameCellOfTier, namesDecomposition } from "./cells.ts";

const number = (title: string): Column => ({ title, align: "right" });

/** Two digits after the point; a dash where there is nothing. */
const show = (value: number | null): string => (value === null ? "–" : value.toFixed(2).replace("-", "−"));
const showShare = (value: number): string => `${(100 * value).toFixed(value > 0 && value < 0.1 ? 1 : 0)}\u00a0%`;
const showEstimate = (value: Estimate | null): string =>
  value === null ? "–" : `${show(value.mean)} [${show(value.low)}, ${show(value.high)}]`;

interface TitledTable {
  readonly title: string;
  readonly table: Table;
}

/** A table a tier. */
function tables(
  rows: readonly WorkplaceRow[],
  what: string,
  columns: readonly (readonly [string, (row: WorkplaceRow) => string])[],
): TitledTable[] {
  const isNamed = namesDecomposition(rows);
  return [...groupBy(rows, ({ tier }) => tier)].map(([tier, own]) => ({
    title: `${what}: ${tier} tier`,
    table: {
      columns: [{ title: "Cell" }, { title: "Method" }, ...columns.map(([title]) => number(title))],
      rows: own.map((row) => [nameCellOfTier(row, isNamed), row.method, ...columns.map(([, cell]) => cell(row))]),
    },
  }));
}

export const timeTables = (rows: readonly WorkplaceRow[]): TitledTable[] =>
  tables(rows, "Time and communication, with 95 % intervals", [
    ["Episodes", ({ n }) => String(n)],
    ["Finished", ({ completed }) => showShare(completed)],
    ["In budget", ({ inBudget }) => showShare(inBudget)],
    ["Hours", ({ hours }) => showEstimate(hours)],
    ["Communication, hours", ({ communicationHours }) => showEstimate(communicationHours)],
    ["of all steps", ({ communicationShare }) => showShare(communicationShare)],
    ["Efficiency", ({ efficiency }) => show(efficiency)],
    ["Productivity", ({ productivity }) => show(productivity)],
  ]);

export const workTables = (rows: readonly WorkplaceRow[]): TitledTable[] =>
  tables(rows, "Understanding (AF) and work, means of an episode", [
    ["AF, at the end", ({ alignmentFinal }) => show(alignmentFinal)],
    ["AF, over time", ({ alignmentMean }) => show(alignmentMean)],
    ["Utilisation", ({ utilisation }) => showShare(utilisation)],
    ["Subtasks", ({ subtasks }) => subtasks.toFixed(1)],
    ["Clarity", ({ clarity }) => show(clarity)],
    ["Reassigned", ({ reassigned }) => show(reassigned)],
    ["Faults", ({ faults }) => show(faults)],
    ["Malformed", ({ malformed }) => show(malformed)],
  ]);

export const talkTables = (rows: readonly WorkplaceRow[]): TitledTable[] =>
  tables(rows, "What an answer raised AF by, how long it took, and how hub-and-spoke talk was (0 to 1)", [
    ["ΔAF: help", ({ gains }) => show(gains.help_request.mean)],
    ["clarification", ({ gains }) => show(gains.need_clarification.mean)],
    ["meeting", ({ gains }) => show(gains.meeting_invite.mean)],
    ["Hours to answer: chat", ({ responses }) => show(responses.chat.mean)],
    ["email", ({ responses }) => show(responses.email.mean)],
    ["meeting", ({ responses }) => show(responses.meeting.mean)],
    ["Meetings held", ({ meetingsHeld }) => show(meetingsHeld)],
    ["Hub", ({ hub }) => show(hub)],
  ]);

const signed = (value: number): string => (value > 0 ? `+${show(value)}` : show(value));
const showDifference = ({ mean, low, high }: Difference): string => `${signed(mean)} [${signed(low)}, ${signed(high)}]`;
const showP = ({ p }: Difference): string => (p < 0.001 ? "< .001" : p.toFixed(3).replace(/^0/, ""));

export function comparisonTable(comparisons: readonly WorkplaceComparison[]): Table {
  const isNamed = namesDecomposition(comparisons);
  return {
    columns: [
      ...["Cell", "Method", "against"].map((title) => ({ title })),
      ...["Pairs", "Hours", "p", "Communication, hours", "p"].map(number),
    ],
    rows: comparisons.map((one) => [
      ...[nameCell(one, isNamed), one.method, one.reference, String(one.pairs)],
      ...[showDifference(one.hours), showP(one.hours)],
      ...[showDifference(one.communicationHours), showP(one.communicationHours)],
    ]),
  };
}
