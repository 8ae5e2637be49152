import { existsSync } from "node:fs";
import { isRecord, parseJson } from "../base/json.ts";
import { type Checkpoint, readCheckpoint } from "../checkpoint/folder.ts";
import type { Weights } from "../contracts/policy.ts";
import { type AdamState, startAdam } from "../nets/index.ts";
import { type BaselineMemory, emptyMemory } from "./baseline.ts";
import type { LogSizes } from "./run-folder.ts";

/** How good a checkpoint was on the validation questions. */
export interface Score {
  readonly step: number;
  /** Mean utility: the share of right answers where episodes end in one. */
  readonly accuracy: number;
  /** Its 95 % interval, by a bootstrap over questions; absent in runs of earlier versions. */
  readonly low?: number;
  readonly high?: number;
  /** Mean share of the vote's weight on the gold answer: a smoother measure of the same. Without answers the same. */
  readonly confidence: number;
  readonly n: number;
  /** λ times the mean cost of an episode; it is taken off what makes a checkpoint the best. Absent where nothing is charged. */
  readonly charge?: number;
}

/** The plain part of a trainer's state; with the tensors, all that a run needs to go on bit for bit. */
export interface Progress {
  /** Updates done. */
  step: number;
  /** Episodes logged. */
  episodes: number;
  /** Agent calls as if every run had made its own. */
  calls: number;
  /** Agent calls needed when runs of one start share what they can. */
  sharedCalls: number;
  /** Tokens and US dollars of all episodes logged, each with calls of its own; `null` where one is not known. */
  tokens: number | null;
  cost: number | null;
  best: Score | null;
  latest: Score | null;
  /** Validations since the best one. */
  sinceBest: number;
  stoppedEarly: boolean;
  baseline: BaselineMemory;
}

/** Everything a checkpoint keeps of a run. */
export interface TrainerState {
  readonly progress: Progress;
  readonly logs: LogSizes;
  /** The weights being trained; the policy's own may be their moving average. */
  readonly raw: Weights;
  readonly averaged: Weights;
  readonly adam: AdamState;
}

/** The trainer's part of a checkpoint. */
export function packTrainer({ progress, logs, raw, adam }: TrainerState): NonNullable<Checkpoint["trainer"]> {
  const prefixed = (prefix: string, tensors: Weights) =>
    Object.entries(tensors).map(([name, tensor]) => [`${prefix}/${name}`, tensor]);
  return {
    tensors: Object.fromEntries([...prefixed("raw", raw), ...prefixed("adam", adam)]),
    json: JSON.stringify({ progress, logs }),
  };
}

/** The state to go on from, where the folder holds one. */
export function readTrainer(folder: string): { state: TrainerState; warning?: string } | undefined {
  if (!existsSync(folder) && !existsSync(`${folder}.previous`)) return undefined;
  const { trainer, weights, warning } = readCheckpoint(folder, { trainer: true });
  if (trainer === undefined) return undefined;
  const plain = parseJson(trainer.json, `the trainer's state in ${folder}`);
  if (!isRecord(plain)) return undefined;
  const unprefixed = (prefix: string): Weights =>
    Object.fromEntries(
      Object.entries(trainer.tensors)
        .filter(([name]) => name.startsWith(`${prefix}/`))
        .map(([name, tensor]) => [name.slice(prefix.length + 1), tensor]),
    );
  const { progress: saved, logs } = plain as unknown as Pick<TrainerState, "progress" | "logs">;
  // States saved by earlier versions kept neither.
  const progress = { ...saved, tokens: saved.tokens ?? null, cost: saved.cost ?? null };
  return { state: { progress, logs, raw: unprefixed("raw"), averaged: weights, adam: unprefixed("adam") }, warning };
}

/** The state before the first update. */
export function beginTraining(weights: Weights): TrainerState {
  return {
    progress: {
      step: 0,
      episodes: 0,
      calls: 0,
      sharedCalls: 0,
      tokens: 0,
      cost: 0,
      best: null,
      latest: null,
      sinceBest: 0,
      stoppedEarly: false,
      baseline: emptyMemory(),
    },
    logs: { metrics: 0, episodes: 0 },
    raw: weights,
    averaged: weights,
    adam: startAdam(weights),
  };
}
