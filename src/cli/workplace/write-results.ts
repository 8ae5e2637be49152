import { join } from "node:path";
import { writeFileAtomic } from "../../base/files.ts";
import { markdownWorkplace, type WorkplaceResults, workplaceCsv } from "../../evaluate/workplace/index.ts";

/** results.json, results.csv, table.md and the episodes that were kept. */
export function writeWorkplaceResults(results: WorkplaceResults, out: string, judged: string): void {
  const files = {
    "results.json": `${JSON.stringify(results, null, 2)}\n`,
    "results.csv": workplaceCsv(results),
    "table.md": markdownWorkplace(results),
    "episodes-judged.jsonl": judged,
  };
  for (const [name, content] of Object.entries(files)) writeFileAtomic(join(out, name), content);
}
