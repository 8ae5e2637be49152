import { createRng, type Rng } from "../base/rng.ts";
import type { EpisodeStart, Item } from "../contracts/environment.ts";
import type { TrainSettings } from "./settings.ts";

/** All attack settings an update draws from: every number of adversaries under every onset. */
function cellsOf({ kind, adversaries, onsets }: TrainSettings["attack"]): EpisodeStart["attack"][] {
  // Without adversaries the onset makes no difference, but a cell each keeps the mixture even.
  return adversaries.flatMap((k) => onsets.map((onset) => ({ kind, adversaries: k, onset })));
}

/** Item `index` of an endless list that is a fresh shuffle of `items` again and again. */
function endlessShuffle<T>(items: readonly T[], rng: Rng): (index: number) => T {
  let epoch = -1;
  let order: T[] = [];
  return (index) => {
    const wanted = Math.floor(index / items.length);
    if (wanted !== epoch) {
      epoch = wanted;
      order = rng.fork(epoch).shuffle(items);
    }
    return order[index % items.length];
  };
}

/**
 * The starts of update `step`: questions and attack settings each from their own endless shuffle, so that all come up
 * equally often and no start depends on anything but the seed and the step.
 */
export function trainingStarts<Q extends Item>(
  questions: readonly Q[],
  settings: TrainSettings,
  seed: number,
  step: number,
): EpisodeStart<Q>[] {
  const rng = createRng(seed).fork("train");
  const questionAt = endlessShuffle(questions, rng.fork("questions"));
  const attackAt = endlessShuffle(cellsOf(settings.attack), rng.fork("attacks"));
  return Array.from({ length: settings.starts }, (_, g) => {
    const sample = step * settings.starts + g;
    return { question: questionAt(sample), seed, sample, attack: attackAt(sample) };
  });
}

/** The episodes every validation of a run plays: the same ones each time, all attack settings in turn. */
export function validationStarts<Q extends Item>(
  questions: readonly Q[],
  settings: TrainSettings,
  seed: number,
): EpisodeStart<Q>[] {
  const cells = cellsOf(settings.attack);
  const order = createRng(seed).fork("validation").shuffle(questions);
  return Array.from({ length: settings.validation.episodes }, (_, e) => ({
    question: order[Math.floor(e / cells.length) % order.length],
    seed,
    // Apart from the samples of training, which count up from 0.
    sample: -1 - e,
    attack: cells[e % cells.length],
  }));
}
