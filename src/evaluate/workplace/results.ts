import { z } from "zod";
import { ColloquyError } from "../../base/errors.ts";
import { isRecord, parseJson } from "../../base/json.ts";
import type { Rng } from "../../base/rng.ts";
import type { Tier } from "../../contracts/workplace/project.ts";
import { compareWorkplace } from "./compare.ts";
import { workplaceHeadline } from "./headline.ts";
import { measureRow } from "./measures.ts";
import { WORKPLACE_RESULTS, type WorkplaceResults, workplaceResultsSchema } from "./schema.ts";
import type { WorkplaceSweep } from "./sweep.ts";

export interface WorkplaceResultsSettings extends Pick<WorkplaceResults, "command" | "environment"> {
  /** Time budget of a task of each tier. */
  budgetHours(tier: Tier): number;
  /** Stream of the bootstrap and the permutations. */
  readonly rng: Rng;
}

/** A sweep as results: a row of every method in every cell, comparisons, and what came of it in plain words. */
export function collectWorkplaceResults(
  { plays, planned, played, complete }: WorkplaceSweep,
  { command, environment, budgetHours, rng }: WorkplaceResultsSettings,
): WorkplaceResults {
  const rows = plays.map(({ method, cell, episodes }) =>
    // One stream for all: equal episodes get equal intervals.
    measureRow(episodes, { method, cell, budgetHours: budgetHours(cell.tier) }, rng),
  );
  const comparisons = compareWorkplace(plays, rng);
  const headline = workplaceHeadline(rows, comparisons, { complete, planned, played });
  return { schema: WORKPLACE_RESULTS, complete, planned, played, headline, command, environment, rows, comparisons };
}

/** Whether a parsed results file says that it is of a workplace. */
export const isWorkplaceResults = (value: unknown): boolean => isRecord(value) && value["schema"] === WORKPLACE_RESULTS;

/**
 * Checks a results file from outside.
 * @param name of the file, for errors
 * @throws ColloquyError `json/invalid`, `results/schema`
 */
export function parseWorkplaceResults(text: string, name: string): WorkplaceResults {
  const value = parseJson(text, name);
  const version = isRecord(value) ? value["schema"] : undefined;
  const parsed = version === WORKPLACE_RESULTS ? workplaceResultsSchema.safeParse(value) : undefined;
  if (parsed?.success) return parsed.data;
  const what =
    parsed === undefined
      ? `is not a ${WORKPLACE_RESULTS} file: its schema is ${JSON.stringify(version)}`
      : `is damaged: ${z.prettifyError(parsed.error)}`;
  throw new ColloquyError("results/schema", `${name} ${what}`, { hint: "Evaluate again with this version." });
}

/** `results.csv`: one line a row, unrounded; parts of a value stand in columns of their own (`hours.mean`), unknown is empty. */
export function workplaceCsv({ rows }: Pick<WorkplaceResults, "rows">): string {
  // Columns are the same whatever came out.
  const unknown = { mean: null, low: null, high: null };
  const flat = rows.map((row) => new Map(flatten({ ...row, hours: row.hours ?? unknown }, "")));
  const columns = [...new Set(flat.flatMap((row) => [...row.keys()]))];
  const lines = [columns, ...flat.map((row) => columns.map((column) => row.get(column) ?? ""))];
  return `${lines.map((cells) => cells.join(",")).join("\n")}\n`;
}

function flatten(value: unknown, path: string): [string, string][] {
  if (isRecord(value))
    return Object.entries(value).flatMap(([key, part]) => flatten(part, path === "" ? key : `${path}.${key}`));
  const text = value === null ? "" : Array.isArray(value) ? value.join(" ") : String(value);
  return [[path, /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text]];
}
