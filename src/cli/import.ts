import { importRecording } from "../assemble/index.ts";
import { systemClock } from "../base/clock.ts";
import { createOutput } from "./output.ts";

interface ImportOptions {
  readonly out: string;
  readonly questions?: string;
  readonly map?: string;
  readonly json?: boolean;
}

/** `colloquy import`. */
export async function importCommand(format: string, path: string, options: ImportOptions): Promise<number> {
  const output = createOutput(options.json ?? false, systemClock);
  const report = importRecording(format, path, options, options.out);
  for (const warning of report.warnings) output.note(`warning: ${warning}`);
  const unread = Object.entries(report.unread).map(([status, count]) => `${count} ${status}`);
  output.print(
    [
      `${report.runs} runs read, ${report.runs - report.withoutQuestion} with their question, about ${report.questions} questions${report.copies > 0 ? ` (${report.copies} of them copies of another)` : ""}.`,
      `${report.utterances} utterances by honest and adversarial agents; ${report.adversaries} agents were told to mislead.`,
      unread.length === 0 ? "Every answer could be read." : `Not read as one answer: ${unread.join(", ")}.`,
      `Bank ${options.out}. Next: colloquy fit ${options.out}`,
    ].join("\n"),
  );
  output.json({ bank: options.out, ...report });
  return 0;
}
