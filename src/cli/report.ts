import { systemClock } from "../base/clock.ts";
import { openInBrowser } from "./open-in-browser.ts";
import { createOutput } from "./output.ts";
import { writeReport } from "./report/write-report.ts";

/** `colloquy report`. */
export async function reportCommand(
  folder: string,
  options: { readonly open?: boolean; readonly json?: boolean },
): Promise<number> {
  const output = createOutput(options.json ?? false, systemClock);
  const report = await writeReport(folder);
  for (const what of report.missing) output.note(`note: ${what}`);
  output.print(`Report ${report.path}  (${(report.bytes / 1e6).toFixed(1)} MB, ${report.episodes} episodes)`);
  output.json(report);
  if (options.open) {
    const problem = await openInBrowser(report.path);
    if (problem !== undefined) output.note(`note: no browser could be opened (${problem}); open the file yourself`);
  }
  return 0;
}
