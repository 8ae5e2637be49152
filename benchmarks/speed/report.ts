import { availableParallelism, loadavg } from "node:os";
import { markdownTable } from "../../src/base/table.ts";
import { isRelative, type Row } from "./measure.ts";

/** The outcome of a benchmark. */
export interface Result {
  readonly name: string;
  readonly summary: string;
  readonly rows: readonly Row[];
}

/** One benchmark for a terminal: ratios first. */
export const renderBenchmark = ({ name, summary, rows }: Result): string =>
  `## ${name}\n\n${summary}\n\n${table([...rows.filter(isRelative), ...rows.filter((row) => !isRelative(row))])}\n`;

/** The published page: what holds on every machine, then what this one showed. */
export function renderReport(results: readonly Result[], command: string): string {
  const sections = (kept: (row: Row) => boolean): string[] =>
    results.map(({ name, summary, rows }) => `### ${name}\n\n${summary}\n\n${table(rows.filter(kept))}\n`);
  return [
    "# Speed\n",
    `Made by \`${command}\`; one benchmark alone: \`npm run bench -- NAME\`. Every figure is a median of runs that took turns with`,
    "those it is compared to.\n",
    "## Ratios and growth\n",
    "Much the same on every machine; on a busy one, ratios of long works (`training-step`) waver up to twofold.\n",
    ...sections(isRelative),
    `## On one machine\n`,
    `${availableParallelism()} cores, Node ${process.versions.node}, mean load ${loadavg()[0].toFixed(1)}. Only to give an idea.\n`,
    ...sections((row) => !isRelative(row)),
  ].join("\n");
}

const table = (rows: readonly Row[]): string =>
  markdownTable({
    columns: [{ title: "measured" }, { title: "value", align: "right" }, { title: "unit" }, { title: "note" }],
    rows: rows.map(({ name, value, unit, note }) => [name, value === null ? "–" : show(value), unit, note ?? ""]),
  });

/** Three digits that count. */
const show = (value: number): string =>
  value >= 100 ? Math.round(value).toLocaleString("en") : String(Number(value.toPrecision(3)));
