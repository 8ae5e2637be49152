import { join } from "node:path";
import { parseArgs } from "node:util";
import { suggest } from "../../src/base/errors.ts";
import { writeFileAtomic } from "../../src/base/files.ts";
import { benchmarks } from "./index.ts";
import { type Result, renderBenchmark, renderReport } from "./report.ts";

/** Runs the named benchmarks, or all; then the report in `benchmarks/results` is written anew. @returns the exit code */
export async function main(args: string[]): Promise<number> {
  const { positionals, values } = parseArgs({
    args,
    allowPositionals: true,
    options: { json: { type: "boolean", default: false }, bank: { type: "string" } },
  });
  const known = Object.keys(benchmarks);
  const unknown = positionals.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    process.stderr.write(`There is no benchmark "${unknown}". ${suggest(unknown, known)}\n`);
    return 2;
  }
  const results: Result[] = [];
  for (const name of positionals.length > 0 ? positionals : known) {
    const { summary, run } = benchmarks[name as keyof typeof benchmarks];
    const result = { name, summary, rows: await run({ bank: values.bank }) };
    results.push(result);
    if (!values.json) process.stdout.write(`${renderBenchmark(result)}\n`);
  }
  if (values.json) process.stdout.write(`${JSON.stringify(results, null, 2)}\n`);
  if (positionals.length === 0) {
    const command = ["npm run bench", ...(values.bank === undefined ? [] : ["-- --bank bank.jsonl"])].join(" ");
    writeFileAtomic(join("benchmarks", "results", "speed.md"), renderReport(results, command));
  }
  return 0;
}
