import { defaultRunFolder, isLive, loadAnyRecipe, type Totals } from "../assemble/index.ts";
import { systemClock } from "../base/clock.ts";
import { quote } from "../base/quote.ts";
import type { TrainResult } from "../train/index.ts";
import { onInterrupt } from "./interrupt.ts";
import { describeStop, type LiveFlags, showPaid, stopsRun, summarizePaid, watchCalls } from "./live.ts";
import { createOutput } from "./output.ts";
import { runTraining } from "./run-training.ts";
import { showTraining } from "./show-training.ts";
import { worldOf } from "./worlds.ts";

export { showTraining } from "./show-training.ts";

interface TrainOptions extends LiveFlags {
  readonly set: readonly string[];
  readonly out?: string;
  readonly fresh?: boolean;
  readonly concurrency: number;
  readonly json?: boolean;
}

/** `colloquy train`. */
export async function trainCommand(name: string, options: TrainOptions): Promise<number> {
  const output = createOutput(options.json ?? false, systemClock);
  const recipe = await loadAnyRecipe(name, options.set);
  const { signal, release } = onInterrupt(output.note, isLive(recipe));
  const { score, estimateTraining } = worldOf(recipe);
  const run = options.out ?? defaultRunFolder(recipe);
  let look: (() => Totals) | undefined;
  let rest = (): void => {};
  try {
    if (options.dryRun || options.pilot)
      return await estimateTraining(recipe, run, { ...options, signal, onWarning: output.note }, output);
    const result = await runTraining(recipe, {
      ...options,
      signal,
      ...showTraining(output, recipe.name),
      onCalls: (totals) => {
        look = totals;
        rest = watchCalls(output, totals);
      },
    });
    output.end();
    output.print(describeResult(result, score));
    showPaid(output, look?.());
    output.json(summarize(result, score, look?.()));
    return result.interrupted ? 130 : 0;
  } catch (error) {
    output.end();
    if (!stopsRun(error)) throw error;
    output.note(describeStop(error));
    showPaid(output, look?.());
    output.json({ run, interrupted: true, stopped: { code: error.code, message: error.message }, ...paidOf(look?.()) });
    return signal.aborted ? 130 : 1;
  } finally {
    rest();
    release();
  }
}

function describeResult(result: TrainResult, score: string): string {
  const { validation } = result;
  const lines = [
    result.interrupted
      ? `Stopped after ${result.steps} updates; the same command goes on.`
      : `Trained for ${result.steps} updates${result.stoppedEarly ? " (validation stopped improving)" : ""}.`,
    ...(validation === null
      ? []
      : [
          `Best validation ${score} ${validation.accuracy.toFixed(3)} over ${validation.n} episodes, at update ${validation.step}.`,
        ]),
    ...result.warnings.map((warning) => `warning: ${warning}`),
    `Run        ${result.run}`,
    `Checkpoint ${result.checkpoint}`,
    `Next       colloquy evaluate ${quote(result.checkpoint)}`,
  ];
  return lines.join("\n");
}

const paidOf = (paid: Totals | undefined) => (paid === undefined ? {} : { paid: summarizePaid(paid) });

const summarize = (
  { run, checkpoint, steps, calls, validation, interrupted }: TrainResult,
  score: string,
  paid?: Totals,
) => ({
  run,
  checkpoint,
  steps,
  calls,
  validation: validation === null ? null : { [score]: validation.accuracy, n: validation.n },
  ...(interrupted ? { interrupted } : {}),
  ...paidOf(paid),
});
