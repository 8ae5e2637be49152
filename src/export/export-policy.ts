import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ColloquyError } from "../base/errors.ts";
import { writeFileAtomic } from "../base/files.ts";
import { parseJson } from "../base/json.ts";
import { type CardContent, renderCard } from "../checkpoint/card.ts";
import { readCheckpoint } from "../checkpoint/folder.ts";
import { readManifest } from "../checkpoint/manifest.ts";
import { writeSafetensors } from "../checkpoint/safetensors.ts";
import type { TensorFlow } from "../nets/index.ts";
import { loadPolicy } from "../runtime/load-policy.ts";
import { recordParity } from "./parity-file.ts";

/** Formats a policy can be exported to. */
export const exportFormats = {
  safetensors: { summary: "config.json, policy.safetensors, parity.json and a card" },
} as const;

/**
 * Writes a checkpoint's policy to a folder of its own, without what training needs, and loads it again to see that it
 * decides the same.
 *
 * @param content what the card says; default: the checkpoint's own card
 * @returns the folder
 * @throws ColloquyError `export/occupied` where the folder holds something else; `policy/parity` where the copy fails
 */
export async function exportPolicy(
  tf: TensorFlow,
  checkpoint: string,
  folder: string,
  content?: CardContent,
): Promise<string> {
  const { manifest, weights, folder: source } = readCheckpoint(checkpoint);
  if (existsSync(folder) && !isPolicyFolder(folder)) {
    throw new ColloquyError("export/occupied", `${folder} exists and is no policy folder`, {
      hint: "Choose another folder with --out.",
    });
  }
  mkdirSync(folder, { recursive: true });
  rmSync(join(folder, "parity.json"), { force: true });
  writeFileAtomic(
    join(folder, "README.md"),
    content === undefined ? readFileSync(join(source, "README.md")) : renderCard(manifest, content),
  );
  writeFileAtomic(join(folder, "policy.safetensors"), writeSafetensors(weights));
  writeFileAtomic(join(folder, "config.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  writeFileAtomic(join(folder, "parity.json"), `${JSON.stringify(recordParity(tf, manifest, weights))}\n`);
  await loadPolicy(folder);
  return folder;
}

/** A folder made by an earlier export may be replaced; anything else is somebody's work. */
function isPolicyFolder(folder: string): boolean {
  const path = join(folder, "config.json");
  if (!existsSync(path)) return false;
  try {
    readManifest(parseJson(readFileSync(path, "utf8"), path), path);
    return true;
  } catch {
    return false;
  }
}
