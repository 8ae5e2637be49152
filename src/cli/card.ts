import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Recipe } from "../assemble/index.ts";
import { readText } from "../base/files.ts";
import { accuracyTables, parseResults } from "../evaluate/index.ts";
import type { CardContent, CardTable } from "../export/index.ts";
import type { Score } from "../train/index.ts";

/** What a policy's card says beside its config. */
export function describePolicy(recipe: Recipe, score: Score | null, tables: readonly CardTable[] = []): CardContent {
  const validation =
    score === null
      ? []
      : [`Validation accuracy ${score.accuracy.toFixed(3)} over ${score.n} episodes, at update ${score.step}.`];
  const judged = tables.length > 0 ? [] : ["Judge it with `colloquy evaluate` before relying on it."];
  return {
    summary: `A communication policy for teams of language-model agents, trained on the recipe \`${recipe.name}\` with ${recipe.team.agents} ${recipe.population.kind} agents over ${recipe.team.rounds} rounds. It gives every agent a credit and a decision to take part; use it with \`colloquy/runtime\`.`,
    tables,
    limits: [
      ...validation,
      ...judged,
      "It was trained on one kind of agents and one set of attacks; on others it may do worse than a plain vote.",
      "Credits are no proof that somebody is adversarial.",
    ],
  };
}

/** The accuracy tables of a run that has been judged; none where it has not. */
export function readCardTables(run: string | null): CardTable[] {
  const path = run === null ? "" : join(run, "results.json");
  if (!existsSync(path)) return [];
  const { rows, command } = parseResults(readText(path), path);
  return accuracyTables(rows).map(({ title, table }) => ({
    title,
    columns: table.columns.map((column) => column.title),
    rows: table.rows,
    command,
  }));
}
