import { groupBy } from "../../base/group-by.ts";
import { consoleTable, markdownTable, type Table } from "../../base/table.ts";
import type { WorkplaceCell } from "../../contracts/workplace/results.ts";
import type { TitledTable } from "../tables.ts";
import { describeCell } from "./cells.ts";
import type { WorkplaceResultComparison, WorkplaceResultRow, WorkplaceResults } from "./schema.ts";

/** The results for a terminal: headline, tables, comparisons, command. */
export const consoleWorkplace = (results: WorkplaceResults): string => arrange(results, consoleTable, (title) => title);

/** `table.md`: the same in Markdown. */
export const markdownWorkplace = (results: WorkplaceResults): string =>
  `${arrange(results, markdownTable, (title) => `**${title}**\n`)}\n`;

function arrange(
  { headline, rows, comparisons, command }: WorkplaceResults,
  render: (table: Table) => string,
  heading: (title: string) => string,
): string {
  const blocks = [...workplaceTables(rows), ...workplaceComparisons(comparisons)].map(
    ({ title, table }) => `${heading(title)}\n${render(table)}`,
  );
  return [headline.join("\n"), ...blocks, `Command: ${command}`].filter(Boolean).join("\n\n");
}

const right = (title: string) => ({ title, align: "right" as const });

/** Teams × methods, one table for each kind of project and attack. */
export const workplaceTables = (rows: readonly WorkplaceResultRow[]): TitledTable[] =>
  [...groupBy(rows, (row) => describeSetting(row)).entries()].map(([setting, own]) => ({
    title: `${setting}; n = ${range(own.map(({ n }) => n))} on ${range(own.map(({ projects }) => projects))} projects, seed ${[...new Set(own.flatMap(({ seeds }) => seeds))].join(", ")}`,
    table: {
      columns: [
        { title: "team" },
        { title: "method" },
        ...["hours [95 %]", "done", "communication h [95 %]", "share", "AF end", "AF mean", "efficiency"].map(right),
        ...["at work", "messages", "hub", ...(isPaid(rows) ? ["calls", "cost"] : [])].map(right),
      ],
      rows: own.map((row) => [
        `1+${row.workers}`,
        row.method,
        row.hours === null ? "–" : interval(row.hours, 2),
        percent(row.completed),
        interval(row.communicationHours, 1),
        percent(row.communicationShare),
        fixed(row.alignmentFinal),
        fixed(row.alignmentMean),
        row.efficiency === null ? "–" : fixed(row.efficiency),
        percent(row.utilisation),
        Object.values(row.messages)
          .reduce((sum, count) => sum + count, 0)
          .toFixed(1),
        fixed(row.hub),
        ...(isPaid(rows) ? [row.calls.toFixed(1), row.cost === null ? "unknown" : `$${row.cost.toFixed(4)}`] : []),
      ]),
    },
  }));

const isPaid = (rows: readonly WorkplaceResultRow[]): boolean => rows.some(({ calls }) => calls > 0);

/** All but the team. */
function describeSetting({ tier, tasks, decomposition, adversaries, attack, onset }: WorkplaceCell): string {
  const work = tasks === 1 ? `one ${tier} task` : `${tasks} ${tier} tasks at once`;
  const who = adversaries === 0 ? "nobody attacks" : `${adversaries} adversarial (${attack}, ${onset})`;
  return `${work}, cut ${decomposition}, ${who}`;
}

/** All comparisons in one table, in the order they were made. */
export function workplaceComparisons(comparisons: readonly WorkplaceResultComparison[]): TitledTable[] {
  if (comparisons.length === 0) return [];
  return [
    {
      title: `${comparisons[0].method} less the other, paired by project; p after Holm for ${comparisons.length} comparisons each`,
      table: {
        columns: [
          { title: "cell" },
          { title: "other" },
          right("hours [95 %]"),
          right("p"),
          { title: "it is" },
          right("communication h [95 %]"),
          right("p"),
          { title: "it takes" },
        ],
        rows: comparisons.map((comparison) => {
          const { hours, communicationHours } = comparison;
          return [
            describeCell(comparison),
            comparison.reference,
            interval(hours, 2),
            probability(hours.pHolm),
            hours.verdict,
            interval(communicationHours, 1),
            probability(communicationHours.pHolm),
            communicationHours.verdict,
          ];
        }),
      },
    },
  ];
}

/** Two decimals, as `.62`; 1 stays `1.00`. */
const fixed = (value: number): string => value.toFixed(2).replace(/^(-?)0\./, "$1.");
const percent = (value: number): string => `${Math.round(100 * value)} %`;
const probability = (p: number): string => (p < 0.001 ? "<.001" : p.toFixed(3).replace(/^0/, ""));
const number = (value: number, digits: number): string => value.toFixed(digits).replace("-", "−");
const interval = (
  { mean, low, high }: { readonly mean: number; readonly low: number; readonly high: number },
  digits: number,
): string => `${number(mean, digits)} [${number(low, digits)}, ${number(high, digits)}]`;

function range(values: readonly number[]): string {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  return least === most ? `${least}` : `${least}–${most}`;
}
