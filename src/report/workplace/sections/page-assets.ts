import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { ColloquyError } from "../../../base/errors.ts";
import { readText } from "../../../base/files.ts";
import type { PageAssets } from "../../html.ts";

/**
 * The page's script and style, made when the package is built from `src/report/workplace/page`.
 * @throws ColloquyError `report/page` where the package was not built whole
 */
export function readWorkplaceAssets(): PageAssets {
  const folder = resolve(import.meta.dirname, "..", "..", "..", "..", "dist", "report");
  const [script, style] = ["workplace.js", "workplace.css"].map((name) => join(folder, name));
  if (!existsSync(script) || !existsSync(style)) {
    throw new ColloquyError("report/page", `the script and style of the workplace's page are not in ${folder}`, {
      hint: "Build the package: npm run build",
    });
  }
  return { script: readText(script), style: readText(style) };
}
