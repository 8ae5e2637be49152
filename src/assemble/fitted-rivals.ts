import { existsSync } from "node:fs";
import { readBytes, writeFileAtomic } from "../base/files.ts";
import { readSafetensors, writeSafetensors } from "../checkpoint/safetensors.ts";
import type { Weights } from "../contracts/policy.ts";

/** What a rival has learned, kept in one file, so that it is trained once for a run. */
export interface FittedRival {
  readonly weights: Weights;
  /** Agent calls it was trained with. */
  readonly calls: number;
}

/** @throws ColloquyError `safetensors/…` for a damaged file; `undefined` where there is none */
export function readFittedRival(path: string): FittedRival | undefined {
  if (!existsSync(path)) return undefined;
  const { tensors, metadata } = readSafetensors(readBytes(path), path);
  return { weights: tensors, calls: Number(metadata["calls"]) };
}

/** @throws ColloquyError `file/write` */
export function writeFittedRival(path: string, { weights, calls }: FittedRival): void {
  writeFileAtomic(path, writeSafetensors(weights, { calls: String(calls) }));
}
