import { catalogue, listsOf } from "../assemble/index.ts";
import { systemClock } from "../base/clock.ts";
import { ColloquyError, suggest } from "../base/errors.ts";
import { createOutput } from "./output.ts";

/** `colloquy list`. */
export async function listCommand(what: string | undefined, options: { readonly json?: boolean }): Promise<number> {
  const output = createOutput(options.json ?? false, systemClock);
  const all = catalogue();
  const shown = what === undefined ? all : listsOf(all, what);
  if (what !== undefined && Object.keys(shown).length === 0) {
    const words = [...new Set(Object.keys(all).map((title) => title.replace(/ \(.*/, "")))];
    throw new ColloquyError("list/unknown", `there is no list of "${what}"`, { hint: suggest(what, words) });
  }
  for (const [title, entries] of Object.entries(shown)) output.print(`${title}\n${describe(entries)}\n`);
  output.json(shown);
  return 0;
}

function describe(entries: Readonly<Record<string, string>>): string {
  const width = Math.max(...Object.keys(entries).map((name) => name.length));
  return Object.entries(entries)
    .map(([name, summary]) => `  ${summary === "" ? name : `${name.padEnd(width)}  ${summary}`}`)
    .join("\n");
}
