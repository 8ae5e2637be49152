import { type AnyRecipe, openBackend, trainedPart } from "../assemble/index.ts";
import { type Clock, systemClock } from "../base/clock.ts";
import { describeError } from "../base/errors.ts";
import type { Item } from "../contracts/environment.ts";
import type { EpisodeTrace } from "../contracts/trace.ts";
import { keepEvents } from "../loggers/index.ts";
import { type TrainInput, type TrainProgress, type TrainResult, train } from "../train/index.ts";
import type { LiveSettings } from "./live.ts";
import { describeProvenance } from "./provenance.ts";

export interface TrainingOptions extends LiveSettings {
  /** The run folder; default `runs/<recipe>-s<seed>-<hash>`. */
  readonly out?: string;
  readonly fresh?: boolean;
  readonly clock?: Clock;
  onProgress?(progress: TrainProgress): void;
}

/** What a world tells of a training; the rest is the same in all of them. */
export interface WorldTraining<Q extends Item, R extends EpisodeTrace>
  extends Omit<
    TrainInput<Q, R>,
    "backend" | "folder" | "recipe" | "provenance" | "fresh" | "concurrency" | "clock" | "signal" | "onProgress"
  > {
  /** What stands in `environment.json` beside versions and backend. */
  readonly facts: Readonly<Record<string, unknown>>;
}

/**
 * Trains in a run folder, from the start or from where it was left.
 * @throws ColloquyError see `train`
 */
export async function trainInFolder<Q extends Item, R extends EpisodeTrace>(
  { facts, ...world }: WorldTraining<Q, R>,
  folder: string,
  recipe: AnyRecipe,
  options: TrainingOptions,
): Promise<TrainResult> {
  const { clock = systemClock, fresh = false, concurrency = 16, signal } = options;
  const events = keepEvents(folder, clock, (error) =>
    options.onWarning?.(`TensorBoard's event file stops here: ${describeError(error)}`),
  );
  try {
    const backend = await openBackend(recipe.backend);
    const result = await train<Q, R>({
      ...world,
      backend,
      folder,
      recipe: trainedPart(recipe),
      provenance: { ...describeProvenance(), ...facts, backend: backend.name, backendsTried: backend.tried },
      fresh,
      concurrency,
      clock,
      signal,
      onProgress: (report) => {
        events.catchUp();
        options.onProgress?.(report);
      },
    });
    // A run that was complete already made no progress.
    events.catchUp();
    return result;
  } finally {
    events.close();
  }
}
