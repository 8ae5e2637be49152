import { join } from "node:path";
import { parseArgs } from "node:util";
import { studies } from "./index.ts";

/** Runs a study by name; the same command again goes on where it was stopped. */
export async function main(args: string[]): Promise<number> {
  const { positionals, values } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      bank: { type: "string" },
      out: { type: "string" },
      splits: { type: "string" },
      set: { type: "string", multiple: true, default: [] },
    },
  });
  const [name = ""] = positionals;
  if (!Object.hasOwn(studies, name)) {
    process.stderr.write(`Name a study: ${Object.keys(studies).join(", ")}\n`);
    return 2;
  }
  const { text, isComplete } = await studies[name]({
    command: ["npm run study --", ...args].join(" "),
    out: values.out ?? join("runs", `study-${name}`),
    set: [...(values.bank === undefined ? [] : [`population.bank=${values.bank}`]), ...values.set],
    splits: values.splits?.split(",").map(Number),
    note: (line) => process.stderr.write(`${line}\n`),
  });
  process.stdout.write(`${text}\n`);
  return isComplete ? 0 : 1;
}
