import type { Benchmark, Source } from "../../src/tasks/benchmarks/index.ts";
import { benchmarks } from "../../src/tasks/benchmarks/index.ts";

/** What `docs/benchmarks.md` says of each benchmark, from its card. */
export const describeCards = (): string => Object.entries(benchmarks).map(describeCard).join("\n\n");

function describeCard([name, { summary, kind, version, card }]: [string, Benchmark]): string {
  const { title, sources, licence, counts, fields, notes } = card;
  const rows = [
    ["version, kind", `\`${version}\`, ${kind}: ${summary}`],
    ["where", sources.map(describeSource).join("<br>")],
    ["licence", licence],
    ["questions", Object.entries(counts).map(describeCount).join(", ")],
    ["forms that are read", fields.map(asPlain).join("<br>")],
    ...(notes === undefined ? [] : [["note", notes]]),
  ];
  return [`### \`${name}\``, "", title, "", "| | |", "|---|---|", ...rows.map((row) => `| ${row.join(" | ")} |`)].join(
    "\n",
  );
}

const describeSource = ({ url, commit, files }: Source): string =>
  commit === undefined ? `<${url}>: ${asPlain(files)}` : `<${url}> at \`${commit}\`: ${asPlain(files)}`;

const describeCount = ([part, count]: [string, number]): string => `${part} ${count.toLocaleString("en-US")}`;

/** What Markdown would take for something else. */
const asPlain = (text: string): string => text.replace(/[<*|]/g, "\\$&");
