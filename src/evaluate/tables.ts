import { groupBy } from "../base/group-by.ts";
import { consoleTable, markdownTable, type Table } from "../base/table.ts";
import type { Comparison, ResultRow, Results } from "./schema.ts";

/** A table with the line that stands above it. */
export interface TitledTable {
  readonly title: string;
  readonly table: Table;
}

/** The results for a terminal: headline, accuracy tables, failures, comparisons, command. */
export const consoleResults = (results: Results): string => arrange(results, consoleTable, (title) => title);

/** `table.md`: the same in Markdown. */
export const markdownResults = (results: Results): string =>
  `${arrange(results, markdownTable, (title) => `**${title}**\n`)}\n`;

function arrange(results: Results, render: (table: Table) => string, heading: (title: string) => string): string {
  const blocks = [...accuracyTables(results.rows), ...comparisonTables(results.comparisons)].map(
    ({ title, table }) => `${heading(title)}\n${render(table)}`,
  );
  const failures = describeFailures(results.rows);
  return [results.headline, ...blocks, ...failures, `Command: ${results.command}`].filter(Boolean).join("\n\n");
}

/**
 * Methods × attack rates, one table for each attack and onset; the cell without adversaries stands in each of them.
 * Calls, edges, tokens and dollars are means per episode over the table's cells; the last two where calls are paid.
 */
export function accuracyTables(rows: readonly ResultRow[]): TitledTable[] {
  const groups = groupBy(
    rows.filter((row) => row.adversaries > 0),
    ({ world, benchmark, population, attack, onset }) => [world, benchmark, population, attack, onset].join(" · "),
  );
  if (groups.size === 0) return rows.length === 0 ? [] : [accuracyTable(rows, "no attack")];
  return [...groups.values()].map((attacked) => {
    const { world, benchmark, population, attack, onset } = attacked[0];
    const clean = rows.filter(
      (row) =>
        row.adversaries === 0 && row.world === world && row.benchmark === benchmark && row.population === population,
    );
    return accuracyTable([...clean, ...attacked], `attack ${attack}, onset ${onset}`);
  });
}

function accuracyTable(rows: readonly ResultRow[], setting: string): TitledTable {
  const cells = [...groupBy(rows, cellTitle).keys()];
  const methods = groupBy(rows, ({ method }) => method);
  const isPaid = rows.some(({ cost }) => cost !== 0);
  const { world, benchmark, population } = rows[0];
  const range = (pick: (row: ResultRow) => number): string => {
    const [least, most] = [Math.min(...rows.map(pick)), Math.max(...rows.map(pick))];
    return least === most ? `${least}` : `${least}–${most}`;
  };
  const seeds = [...new Set(rows.flatMap((row) => row.seeds))].join(", ");
  return {
    title:
      `${world}, ${benchmark}, ${population}: ${setting}. Accuracy [95 %]; ` +
      `n = ${range((row) => row.n)} on ${range((row) => row.questions)} questions, seed ${seeds}`,
    table: {
      columns: [
        { title: "method" },
        ...cells.map((title) => ({ title, align: "right" as const })),
        ...["calls", "edges", "levels", ...(isPaid ? ["tokens", "cost"] : [])].map((title) => ({
          title,
          align: "right" as const,
        })),
      ],
      rows: [...methods].map(([method, own]) => [
        method,
        ...cells.map((cell) => {
          const row = own.find((candidate) => cellTitle(candidate) === cell);
          return row === undefined ? "–" : `${fixed(row.accuracy)} [${fixed(row.low)}, ${fixed(row.high)}]`;
        }),
        meanOf(own.map((row) => row.calls)),
        meanOf(own.map((row) => row.edges)),
        meanOf(own.map((row) => row.levels)),
        ...(isPaid ? [meanOf(own.map((row) => row.tokens)), dollarsOf(own.map((row) => row.cost))] : []),
      ]),
    },
  };
}

const cellTitle = ({ adversaries, attackRate }: ResultRow): string => `k=${adversaries} (${fixed(attackRate)})`;

/** All comparisons in one table, in the order they were made. */
export function comparisonTables(comparisons: readonly Comparison[]): TitledTable[] {
  if (comparisons.length === 0) return [];
  const { reference, by } = comparisons[0];
  const right = (title: string) => ({ title, align: "right" as const });
  return [
    {
      title: `Difference in ${by} from ${reference}, paired by question; p after Holm for ${comparisons.length} comparisons`,
      table: {
        columns: [
          { title: "attack" },
          { title: "onset" },
          right("rate"),
          { title: "method" },
          right("difference [95 %]"),
          right("p"),
          { title: "verdict on method" },
          right("questions to see 3 points"),
        ],
        rows: comparisons.map((c) => [
          c.adversaries === 0 ? "none" : c.attack,
          c.adversaries === 0 ? "–" : c.onset,
          fixed(c.attackRate),
          c.method,
          `${signed(c.difference)} [${signed(c.low)}, ${signed(c.high)}]`,
          c.pHolm < 0.001 ? "<.001" : c.pHolm.toFixed(3).replace(/^0/, ""),
          c.verdict,
          c.questionsNeeded === null ? "unknown" : String(c.questionsNeeded),
        ]),
      },
    },
  ];
}

/** Every row with failures or unreadable answers, with both denominators. */
function describeFailures(rows: readonly ResultRow[]): string[] {
  const lines = rows
    .filter(({ errors, unparsed }) => errors + unparsed > 0)
    .map(({ method, adversaries, onset, correct, n, errors, unparsed }) => {
      const answered = n - errors - unparsed;
      const cell = adversaries === 0 ? "k=0" : `k=${adversaries}, onset ${onset}`;
      return `${method} (${cell}): right/all ${correct}/${n}, right/answered ${correct}/${answered}, errors=${errors}, unparsed=${unparsed}`;
    });
  return lines.length === 0 ? [] : [lines.join("\n")];
}

/** Two decimals, as `.62`; 1 stays `1.00`. */
const fixed = (value: number): string => value.toFixed(2).replace(/^(-?)0\./, "$1.");

const signed = (value: number): string => {
  const text = fixed(Math.abs(value));
  return text === ".00" ? text : `${value < 0 ? "−" : "+"}${text}`;
};

/** The mean to one decimal, or `unknown`. */
const meanOf = (values: readonly (number | null)[]): string => meanKnown(values)?.toFixed(1) ?? "unknown";

/** The mean in US dollars, to a hundredth of a cent, or `unknown`. */
function dollarsOf(values: readonly (number | null)[]): string {
  const dollars = meanKnown(values);
  return dollars === null ? "unknown" : `$${dollars.toFixed(4)}`;
}

function meanKnown(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length < values.length ? null : known.reduce((total, value) => total + value, 0) / known.length;
}
