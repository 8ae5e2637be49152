import { existsSync } from "node:fs";
import { join } from "node:path";
import type { WorkplaceRecipe } from "../../assemble/index.ts";
import { readText } from "../../base/files.ts";
import { parseWorkplaceResults, workplaceTables } from "../../evaluate/workplace/index.ts";
import type { CardContent, CardTable } from "../../export/index.ts";
import type { Score } from "../../train/index.ts";

/** What the card of a policy for workplaces says beside its config. */
export function describeWorkplacePolicy(
  { name, team, projects, minds }: WorkplaceRecipe,
  score: Score | null,
  tables: readonly CardTable[] = [],
): CardContent {
  const validation =
    score === null
      ? []
      : [`Validation utility ${score.accuracy.toFixed(3)} over ${score.n} episodes, at update ${score.step}.`];
  const judged = tables.length > 0 ? [] : ["Judge it with `colloquy evaluate` before relying on it."];
  return {
    summary: `A communication policy for a manager and workers who share tasks on a clock, trained on the recipe \`${name}\` with teams of ${team.workers.join(", ")} ${minds.kind} workers on ${projects.tier.join(", ")} projects. Every four steps it says who keeps to its work and who may ask whom; use it with \`colloquy/runtime\`.`,
    tables,
    limits: [
      ...validation,
      ...judged,
      "It was trained on one kind of minds and one set of attacks; on others it may do worse than letting everybody decide alone.",
      "Credits are no proof that somebody is adversarial.",
    ],
  };
}

/** The tables of a run that has been judged; none where it has not. */
export function readWorkplaceTables(run: string | null): CardTable[] {
  const path = run === null ? "" : join(run, "results.json");
  if (!existsSync(path)) return [];
  const { rows, command } = parseWorkplaceResults(readText(path), path);
  return workplaceTables(rows).map(({ title, table }) => ({
    title,
    columns: table.columns.map((column) => column.title),
    rows: table.rows,
    command,
  }));
}
