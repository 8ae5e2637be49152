import { existsSync } from "node:fs";
import { ColloquyError } from "../base/errors.ts";
import { readBytes, writeFileAtomic } from "../base/files.ts";
import { readSafetensors, writeSafetensors } from "../checkpoint/safetensors.ts";
import type { Weights } from "../contracts/policy.ts";

/** What a rival has learned, kept in one file, so that it is trained once for a run. */
export interface FittedRival {
  readonly weights: Weights;
  /** Agent calls it was trained with. */
  readonly calls: number;
  /** False where the weights from before training did best in validation. */
  readonly learned: boolean;
}

/**
 * @param begun the weights such a rival begins with: names and shapes must be theirs
 * @returns `undefined` where there is no file
 * @throws ColloquyError `rival/file` for one that is damaged or another rival's
 */
export function readFittedRival(path: string, begun: Weights): FittedRival | undefined {
  if (!existsSync(path)) return undefined;
  try {
    const { tensors, metadata } = readSafetensors(readBytes(path), path);
    const shapes = (weights: Weights): string =>
      JSON.stringify(Object.entries(weights).map(([name, { shape }]) => [name, ...shape]));
    if (shapes(tensors) !== shapes(begun)) throw new Error(`it holds ${shapes(tensors)}, not ${shapes(begun)}`);
    return { weights: tensors, calls: Number(metadata["calls"]), learned: metadata["learned"] !== "no" };
  } catch (cause) {
    throw new ColloquyError("rival/file", `${path} cannot be used: ${(cause as Error).message}`, { cause });
  }
}

/** @throws ColloquyError `file/write` */
export function writeFittedRival(path: string, { weights, calls, learned }: FittedRival): void {
  writeFileAtomic(path, writeSafetensors(weights, { calls: String(calls), learned: learned ? "yes" : "no" }));
}
