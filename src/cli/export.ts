import { findAnyTrained, openBackend } from "../assemble/index.ts";
import { systemClock } from "../base/clock.ts";
import { ColloquyError, suggest } from "../base/errors.ts";
import { exportFormats, exportPolicy } from "../export/index.ts";
import { noteTrained } from "./note-trained.ts";
import { createOutput } from "./output.ts";
import { worldOf } from "./worlds.ts";

/** `colloquy export`. */
export async function exportCommand(
  source: string,
  options: { readonly out: string; readonly format: string; readonly json?: boolean },
): Promise<number> {
  if (!Object.hasOwn(exportFormats, options.format)) {
    throw new ColloquyError("usage/format", `there is no export format "${options.format}"`, {
      hint: suggest(options.format, Object.keys(exportFormats)),
    });
  }
  const output = createOutput(options.json ?? false, systemClock);
  const { tf } = await openBackend("auto");
  const trained = await findAnyTrained(source, []);
  const { checkpoint, recipe } = trained;
  noteTrained(output, trained);
  const policy = await exportPolicy(tf, checkpoint.folder, options.out, worldOf(recipe).describeTrained(trained));
  output.print(`Policy in ${policy}: loaded again, decides the same.`);
  output.json({ policy });
  return 0;
}
