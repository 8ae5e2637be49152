import { join } from "node:path";
import { defaultRunFolder, loadRecipe, type Recipe, type Totals } from "../assemble/index.ts";
import { systemClock } from "../base/clock.ts";
import { quote } from "../base/quote.ts";
import { rehearseTraining, type TrainResult } from "../train/index.ts";
import { openForEstimate, type RehearsedRun, rehearsedEpisodes, showEstimate } from "./estimate.ts";
import { onInterrupt } from "./interrupt.ts";
import { describeStop, isLive, type LiveFlags, showPaid, stopsRun, summarizePaid, watchCalls } from "./live.ts";
import { createOutput, type Output } from "./output.ts";
import { episodesOf, runTraining } from "./run-training.ts";
import { showTraining } from "./show-training.ts";

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
  const recipe = await loadRecipe(name, options.set);
  const { signal, release } = onInterrupt(output.note, isLive(recipe));
  const run = options.out ?? defaultRunFolder(recipe);
  let look: (() => Totals) | undefined;
  let rest = (): void => {};
  try {
    if (options.dryRun || options.pilot) return await estimateTraining(recipe, run, { ...options, signal }, output);
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
    output.print(describeResult(result));
    showPaid(output, look?.());
    output.json(summarize(result, look?.()));
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

async function estimateTraining(
  recipe: Recipe,
  run: string,
  options: TrainOptions & { readonly signal: AbortSignal },
  output: Output,
): Promise<number> {
  const settings = { ...options, onWarning: output.note };
  const rehearsed: RehearsedRun = {
    recipe,
    open: (live) => openForEstimate(recipe, live),
    parts: (world, policy) =>
      rehearseTraining({ ...episodesOf(world), concurrency: options.concurrency }, policy, rehearsedEpisodes),
  };
  return showEstimate(rehearsed, settings, join(run, "calls.jsonl"), output);
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

const paidOf = (paid: Totals | undefined) => (paid === undefined ? {} : { paid: summarizePaid(paid) });

const summarize = ({ run, checkpoint, steps, calls, validation, interrupted }: TrainResult, paid?: Totals) => ({
  run,
  checkpoint,
  steps,
  calls,
  validation: validation === null ? null : { accuracy: validation.accuracy, n: validation.n },
  ...(interrupted ? { interrupted } : {}),
  ...paidOf(paid),
});
