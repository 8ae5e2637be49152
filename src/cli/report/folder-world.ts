import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import type { WorldName } from "../../assemble/index.ts";
import { readText } from "../../base/files.ts";
import { isRecord, parseJson } from "../../base/json.ts";
import { isWorkplaceResults } from "../../evaluate/workplace/index.ts";

/** The world that a run or an evaluation is of, by its recipe, else by its results; the deliberation where neither says. */
export function worldOfFolder(folder: string): WorldName {
  const recipe = readIfThere(join(folder, "recipe.json"));
  if (isRecord(recipe)) return recipe["world"] === "workplace-v1" ? "workplace-v1" : "deliberation-v1";
  const results = readIfThere(join(folder, "results.json")) ?? readIfThere(join(folder, "incomplete", "results.json"));
  return isWorkplaceResults(results) ? "workplace-v1" : "deliberation-v1";
}

/** What is wrong with a file is said by whoever needs it. */
function readIfThere(path: string): unknown {
  try {
    return existsSync(path) && statSync(path).isFile() ? parseJson(readText(path), path) : undefined;
  } catch {
    return undefined;
  }
}
