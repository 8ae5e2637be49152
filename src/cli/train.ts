import { loadRecipe } from "../assemble/index.ts";
import { systemClock } from "../base/clock.ts";
import type { TrainResult } from "../train/index.ts";
import { onInterrupt } from "./interrupt.ts";
import { createOutput, type Output } from "./output.ts";
import { quote } from "./quote.ts";
import { runTraining, type TrainingOptions } from "./run-training.ts";

interface TrainOptions {
  readonly set: readonly string[];
  readonly out?: string;
  readonly fresh?: boolean;
  readonly concurrency: number;
  readonly json?: boolean;
}

/** `colloquy train`. */
export async function trainCommand(name: string, options: TrainOptions): Promise<number> {
  const output = createOutput(options.json ?? false, systemClock);
  const recipe = await loadRecipe(name, options.set);
  const { signal, release } = onInterrupt(output.note);
  try {
    const result = await runTraining(recipe, { ...options, signal, ...showTraining(output, recipe.name) });
    output.print(describeResult(result));
    output.json(summarize(result));
    return result.interrupted ? 130 : 0;
  } finally {
    release();
  }
}

/** Progress of a training run: accuracy, participants, entropy, edges, calls, speed, time left. */
export function showTraining(output: Output, label: string): Pick<TrainingOptions, "onProgress" | "onWarning"> {
  let line: ReturnType<Output["progress"]> | undefined;
  return {
    onWarning: (warning) => output.note(`warning: ${warning}`),
    onProgress: (report) => {
      line ??= output.progress(`training ${label}`, report.steps);
      const perSecond = report.rolloutMs > 0 ? Math.round((1000 * report.batchEpisodes) / report.rolloutMs) : 0;
      const validation = report.best === null ? "" : `validation ${report.best.accuracy.toFixed(3)} · `;
      line.update(
        report.step,
        `${validation}utility ${report.utility.toFixed(2)} · ${report.participants.toFixed(1)} speak · entropy ${report.entropy.toFixed(2)} · ${report.calls} calls · ${perSecond} episodes/s`,
      );
      if (report.step === report.steps) line.end();
    },
  };
}

function describeResult(result: TrainResult): string {
  const { validation } = result;
  const lines = [
    result.interrupted
      ? `Stopped after ${result.steps} updates; the same command goes on.`
      : `Trained for ${result.steps} updates${result.stoppedEarly ? " (validation stopped improving)" : ""}.`,
    ...(validation === null
      ? []
      : [
          `Best validation accuracy ${validation.accuracy.toFixed(3)} over ${validation.n} episodes, at update ${validation.step}.`,
        ]),
    ...result.warnings.map((warning) => `warning: ${warning}`),
    `Run        ${result.run}`,
    `Checkpoint ${result.checkpoint}`,
    `Next       colloquy evaluate ${quote(result.checkpoint)}`,
  ];
  return lines.join("\n");
}

const summarize = ({ run, checkpoint, steps, calls, validation, interrupted }: TrainResult) => ({
  run,
  checkpoint,
  steps,
  calls,
  validation: validation === null ? null : { accuracy: validation.accuracy, n: validation.n },
  ...(interrupted ? { interrupted } : {}),
});
