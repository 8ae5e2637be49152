import { join } from "node:path";
import type { Results } from "colloquy";
import { short, table, writePage } from "./markdown.ts";
import { runStudy, type StudyOptions, type StudyOutcome } from "./study.ts";

/**
 * The full table: every method, on recorded and on simulated agents, under k = 0, 2, 3 and 4 adversaries that attack from the
 * first round on or turn at a round drawn for each, on five splits; and a short form of it.
 */
export async function runFull(options: StudyOptions): Promise<StudyOutcome> {
  const { out, command } = options;
  // The bank is no key of simulated agents.
  const set = options.set.filter((change) => !change.startsWith("population.bank="));
  const recorded = await runStudy("recorded", { ...options, out: join(out, "recorded") });
  const simulated = await runStudy("simulated", { ...options, set, out: join(out, "simulated") });
  const blocks = [
    "# Every method in one table",
    describe("Recorded debates", recorded.results!),
    shortTable(recorded.results!),
    describe("Simulated agents", simulated.results!),
    shortTable(simulated.results!),
  ];
  return {
    text: writePage(join(out, "short.md"), blocks, command),
    isComplete: recorded.isComplete && simulated.isComplete,
  };
}

const describe = (title: string, { headline, rows: [{ n, questions }] }: Results): string =>
  `**${title}.** Accuracy with k of six agents colluding, from the first round on and (u) from a round drawn for each; ${n} episodes a cell on ${questions} questions; the best method of a cell but the oracle in bold, and every one that is not measurably different from \`learned\` marked ≈. ${headline}`;

/** Methods × cells: accuracy alone; intervals stand in the whole table. */
export function shortTable({ rows, comparisons }: Results): string {
  const keyOf = ({ adversaries, onset }: { adversaries: number; onset: string }): string =>
    `k=${adversaries}${adversaries > 0 && onset === "uniform" ? " u" : ""}`;
  const columns = [...new Set(rows.map(keyOf))].sort((a, b) => a.length - b.length || (a < b ? -1 : 1));
  const best = new Map(
    columns.map((column) => {
      const rivals = rows.filter((row) => keyOf(row) === column && row.method !== "oracle");
      return [column, Math.max(...rivals.map(({ accuracy }) => accuracy))];
    }),
  );
  const methods = [...new Set(rows.map(({ method }) => method))];
  const lines = methods.map((method) => {
    const own = rows.filter((row) => row.method === method);
    const cells = columns.map((column) => {
      const row = own.find((candidate) => keyOf(candidate) === column);
      if (row === undefined) return "–";
      const compared = comparisons.find((c) => c.method === method && keyOf(c) === column);
      const mark = compared?.verdict === "no measurable difference" ? "≈" : "";
      const text = short(row.accuracy);
      return `${mark}${row.accuracy === best.get(column) && method !== "oracle" ? `**${text}**` : text}`;
    });
    const mean = (of: "calls" | "edges"): string =>
      (own.reduce((sum, row) => sum + row[of], 0) / own.length).toFixed(1);
    return [method, ...cells, mean("calls"), mean("edges")];
  });
  return table(["method", ...columns, "calls", "edges"], lines);
}
