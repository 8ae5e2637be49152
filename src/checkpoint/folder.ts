import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { ColloquyError } from "../base/errors.ts";
import { writeError, writeFileAtomic } from "../base/files.ts";
import { parseJson } from "../base/json.ts";
import type { Weights } from "../contracts/policy.ts";
import { type PolicyManifest, readManifest } from "./manifest.ts";
import { readSafetensors, writeSafetensors } from "./safetensors.ts";

/** What the trainer needs to go on: optimiser tensors, and anything else as JSON text. */
export interface TrainerState {
  readonly tensors: Weights;
  /** A JSON text of the trainer's own; kept in the file's metadata. */
  readonly json: string;
}

/** A policy folder: `config.json`, `policy.safetensors`, `README.md`, and for resuming `trainer.safetensors`. */
export interface Checkpoint {
  readonly manifest: PolicyManifest;
  readonly weights: Weights;
  readonly trainer?: TrainerState;
}

/** A checkpoint as read. */
export interface LoadedCheckpoint extends Checkpoint {
  /** The folder it was read from. */
  readonly folder: string;
  /** Set when the folder asked for could not be used and its predecessor was: which file was bad, and how. */
  readonly warning?: string;
}

const maxConfigBytes = 1024 * 1024;
const maxTensorBytes = 1024 * 1024 * 1024;

/**
 * Writes a checkpoint as one step: all files go to a folder beside it and reach the disk, then the folder changes names.
 * What was there before stays as `<folder>.previous`. A crash leaves the old checkpoint, the new one, or, between two
 * renames, the old one under its `.previous` name, where `readCheckpoint` finds it.
 * @param card the text of `README.md`
 * @throws ColloquyError `file/write`
 */
export function writeCheckpoint(folder: string, checkpoint: Checkpoint, card: string): void {
  const { manifest, weights, trainer } = checkpoint;
  const part = join(dirname(folder), `.${basename(folder)}.part`);
  const previous = previousOf(folder);
  try {
    rmSync(part, { recursive: true, force: true });
    mkdirSync(part, { recursive: true });
    writeFileAtomic(join(part, "README.md"), card);
    writeFileAtomic(join(part, "policy.safetensors"), writeSafetensors(weights));
    if (trainer) {
      writeFileAtomic(join(part, "trainer.safetensors"), writeSafetensors(trainer.tensors, { trainer: trainer.json }));
    }
    writeFileAtomic(join(part, "config.json"), `${JSON.stringify(manifest, null, 2)}\n`);
    flushFolder(part);
    if (existsSync(folder)) {
      rmSync(previous, { recursive: true, force: true });
      renameSync(folder, previous);
    }
    renameSync(part, folder);
    flushFolder(dirname(folder));
  } catch (cause) {
    rmSync(part, { recursive: true, force: true });
    throw cause instanceof ColloquyError ? cause : writeError(folder, cause);
  }
}

/**
 * Reads a checkpoint; where it is missing, half-written or damaged, its predecessor `<folder>.previous` with a warning.
 * @param options `trainer`: also read what resuming needs, and count a missing or damaged `trainer.safetensors` as damage
 * @throws ColloquyError naming the bad file, when there is no sound predecessor either
 */
export function readCheckpoint(folder: string, options: { readonly trainer?: boolean } = {}): LoadedCheckpoint {
  try {
    return readFolder(folder, options);
  } catch (error) {
    const previous = previousOf(folder);
    if (!(error instanceof ColloquyError) || !existsSync(previous)) throw error;
    try {
      return { ...readFolder(previous, options), warning: `${error.message}; using ${previous} instead` };
    } catch {
      throw error; // The predecessor is no better: what is wrong with the checkpoint itself is the thing to say.
    }
  }
}

function readFolder(folder: string, options: { readonly trainer?: boolean }): LoadedCheckpoint {
  const configPath = join(folder, "config.json");
  const config = new TextDecoder().decode(readCapped(configPath, maxConfigBytes));
  const manifest = readManifest(parseJson(config, configPath), configPath);
  const policyPath = join(folder, "policy.safetensors");
  const weights = readSafetensors(readCapped(policyPath, maxTensorBytes), policyPath).tensors;
  const trainerPath = join(folder, "trainer.safetensors");
  if (!options.trainer) return { folder, manifest, weights };
  const { tensors, metadata } = readSafetensors(readCapped(trainerPath, maxTensorBytes), trainerPath);
  return { folder, manifest, weights, trainer: { tensors, json: metadata["trainer"] ?? "{}" } };
}

function readCapped(path: string, maxBytes: number): Uint8Array {
  try {
    const { size } = statSync(path);
    if (size > maxBytes) {
      throw new ColloquyError("checkpoint/size", `${path} is ${size} bytes long, above the limit of ${maxBytes}`, {
        hint: "This is no policy of this program.",
      });
    }
    return readFileSync(path);
  } catch (cause) {
    if (cause instanceof ColloquyError) throw cause;
    const missing = (cause as NodeJS.ErrnoException).code === "ENOENT";
    throw new ColloquyError(
      "checkpoint/read",
      `cannot read ${path}: ${missing ? "no such file" : (cause as Error).message}`,
      {
        cause,
        hint: "A policy folder holds config.json and policy.safetensors. Check the path.",
      },
    );
  }
}

const previousOf = (folder: string): string => join(dirname(folder), `${basename(folder)}.previous`);

/** Makes names in a folder survive a power cut. Some systems (Windows) cannot open folders; they need not. */
function flushFolder(folder: string): void {
  let handle: number;
  try {
    handle = openSync(folder, "r");
  } catch {
    return;
  }
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
