import { rmSync } from "node:fs";
import { join } from "node:path";
import { renderCard } from "../checkpoint/card.ts";
import { writeCheckpoint } from "../checkpoint/folder.ts";
import type { Item } from "../contracts/environment.ts";
import type { EpisodeTrace } from "../contracts/trace.ts";
import { networks } from "../nets/index.ts";
import { checkInput } from "./check-input.ts";
import { isAlike } from "./failures.ts";
import type { TrainInput, TrainResult } from "./input.ts";
import { closeLogs, openLogs, sizesOf, takeRunFolder } from "./run-folder.ts";
import { beginTraining, type Progress, packTrainer, readTrainer } from "./state.ts";
import { trainStep } from "./step.ts";
import { survey } from "./survey.ts";
import { validate } from "./validate.ts";

/** Updates between saves, and the longest time without one. */
const saveEvery = 10;
const saveAfterMs = 20_000;

/**
 * Trains a policy for any world in a run folder. Run again with the same input it goes on from the last saved update and ends in the
 * same bytes as a run that was never stopped.
 *
 * @throws ColloquyError see `checkInput`; `folder/locked`, `run/recipe-changed`, `file/write`, `train/parity`, and whatever the world throws
 */
export async function train<Q extends Item, R extends EpisodeTrace>(input: TrainInput<Q, R>): Promise<TrainResult> {
  checkInput(input);
  const release = takeRunFolder(input.folder, input.recipe, input.provenance, input.fresh);
  try {
    return await trainIn(input);
  } finally {
    release();
  }
}

async function trainIn<Q extends Item, R extends EpisodeTrace>(input: TrainInput<Q, R>): Promise<TrainResult> {
  const { settings, folder, signal, clock } = input;
  const checkpoints = { last: join(folder, "checkpoints", "last"), best: join(folder, "checkpoints", "best") };
  const found = readTrainer(checkpoints.last);
  const warnings = found?.warning === undefined ? [] : [found.warning];
  // The next save keeps what it replaces as the predecessor, which must not be the damaged one.
  if (found?.warning !== undefined) rmSync(checkpoints.last, { recursive: true, force: true });
  let state = found?.state ?? beginTraining(await survey(input));
  const logs = openLogs(folder, found?.state.logs, state.progress.step);
  const network = networks[input.network.kind].fromWeights(input.backend.tf, input.network, state.raw);
  const steps = settings.warmStartSteps + settings.steps;
  const write = (place: "last" | "best"): void => {
    const { step, sharedCalls, best, latest } = state.progress;
    const manifest = input.manifest(step, sharedCalls);
    const card = renderCard(manifest, input.card(place === "best" ? best : latest));
    const checkpoint = { manifest, weights: state.averaged };
    writeCheckpoint(
      checkpoints[place],
      place === "last" ? { ...checkpoint, trainer: packTrainer(state) } : checkpoint,
      card,
    );
  };
  let savedAt = clock.elapsedMs();
  // Single updates may look collapsed by chance: the last one counts.
  let collapse: string | undefined;
  try {
    if (found === undefined) write("last");
    while (!isOver(state.progress, steps, settings.calls) && !signal?.aborted) {
      // Synchronous agents never leave the event loop by themselves: an interrupt has to get through.
      await new Promise((resolve) => setImmediate(resolve));
      const { next, report } = await trainStep(state, network, input, logs);
      state = next;
      collapse = report.collapse;
      const { progress } = state;
      const isLast = isOver(progress, steps, settings.calls);
      if ((isLast || progress.step % settings.validation.every === 0) && input.questions.validation.length > 0) {
        const isBest = await validate(state, input, logs);
        if (isBest) write("best");
      }
      for (const warning of report.warnings) {
        if (warnings.some((known) => isAlike(known, warning))) continue;
        warnings.push(warning);
      }
      input.onProgress?.({ ...report, steps, latest: progress.latest, best: progress.best });
      const isStopping = isLast || progress.stoppedEarly || signal?.aborted === true;
      if (isStopping || progress.step % saveEvery === 0 || clock.elapsedMs() - savedAt > saveAfterMs) {
        state = { ...state, logs: sizesOf(logs) };
        write("last");
        savedAt = clock.elapsedMs();
      }
    }
  } finally {
    networks[input.network.kind].dispose(network);
    closeLogs(logs);
  }
  const { progress } = state;
  return {
    run: folder,
    checkpoint: progress.best === null ? checkpoints.last : checkpoints.best,
    steps: progress.step,
    calls: progress.sharedCalls,
    validation: progress.best,
    stoppedEarly: progress.stoppedEarly,
    interrupted: !isOver(progress, steps, settings.calls),
    warnings: collapse === undefined ? warnings : [...warnings, collapse],
  };
}

/** All updates made, validation no longer improving, or all calls spent. */
const isOver = ({ step, stoppedEarly, sharedCalls }: Progress, steps: number, calls: number | null): boolean =>
  step >= steps || stoppedEarly || (calls !== null && sharedCalls >= calls);
