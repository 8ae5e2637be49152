import { checkRecipe, type Recipe } from "../../assemble/index.ts";
import { isRecord } from "../../base/json.ts";

/**
 * A recipe as a run keeps it. How it was judged stands in the results: that part is not read here, so that its defaults
 * cannot be too large for a small team. @throws ColloquyError as `checkRecipe`
 */
export const readSavedRecipe = (value: unknown, path: string): Recipe =>
  checkRecipe(isRecord(value) ? { ...value, evaluate: { adversaries: [0], onsets: ["first"] } } : value, path);
