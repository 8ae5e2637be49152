import { z } from "zod";
import { ColloquyError } from "../base/errors.ts";
import { isRecord, parseJson } from "../base/json.ts";
import type { Rng } from "../base/rng.ts";
import { type CompareSettings, compare } from "./compare.ts";
import { describeDetection, describeTalk, type HeadlineSettings, headline } from "./headline.ts";
import { measure } from "./measures.ts";
import {
  type Comparison,
  RESULTS_SCHEMA,
  type ResultRow,
  type Results,
  resultRowSchema,
  resultsSchema,
} from "./schema.ts";
import type { Play, Sweep } from "./sweep.ts";

export interface ResultsSettings
  extends CompareSettings,
    Pick<Results, "command" | "environment" | "splits" | "credits">,
    Pick<HeadlineSettings, "learned" | "baselines" | "rivals" | "ablations"> {
  readonly benchmark: string;
  readonly population: string;
}

/**
 * A sweep as results. Where comparisons are refused because failures are unequal, the rows are kept, there are no
 * comparisons, and the headline says why.
 * @throws ColloquyError `evaluate/reference`
 */
export function collectResults(sweep: Sweep, settings: ResultsSettings): Results {
  const { command, environment, splits, credits } = settings;
  const { complete, planned, played } = sweep;
  const rows = measureRows(sweep.plays, settings);
  let comparisons: Comparison[] = [];
  let text: string;
  try {
    comparisons = compare(sweep.plays, settings);
    const sentences = [
      headline(comparisons, { ...settings, complete, planned, played }),
      describeDetection(comparisons, rows, settings.learned),
      describeTalk(rows, settings.learned),
    ];
    text = sentences.filter(Boolean).join(" ");
  } catch (error) {
    if (!(error instanceof ColloquyError && error.code === "evaluate/error-shares")) throw error;
    text = `${complete ? "" : "INCOMPLETE RUN. "}No comparison: ${error.message}. ${error.hint}`;
  }
  return {
    schema: RESULTS_SCHEMA,
    complete,
    planned,
    played,
    headline: text,
    command,
    environment,
    splits,
    rows,
    comparisons,
    ...(credits === undefined ? {} : { credits }),
  };
}

/** The row of every play, each paired with the same method's play without adversaries where there is one. */
export function measureRows(
  plays: readonly Play[],
  labels: { readonly benchmark: string; readonly population: string; readonly rng: Rng },
): ResultRow[] {
  const { benchmark, population, rng } = labels;
  return plays.map(({ world, method, cell, episodes }) => {
    const clean = plays.find((play) => play.method === method && play.cell.adversaries === 0);
    // One stream for all: equal outcomes get equal intervals.
    return measure(episodes, { world, benchmark, population, method, cell }, rng.fork("accuracy"), clean?.episodes);
  });
}

/**
 * Checks a results file from outside.
 * @param text the content of `results.json`
 * @param name of the file, for errors
 * @throws ColloquyError `json/invalid`, `results/schema`
 */
export function parseResults(text: string, name: string): Results {
  const value = parseJson(text, name);
  const version = isRecord(value) ? value["schema"] : undefined;
  if (version !== RESULTS_SCHEMA) {
    throw new ColloquyError(
      "results/schema",
      `${name} is not a ${RESULTS_SCHEMA} file: its schema is ${JSON.stringify(version)}`,
      {
        hint: "Evaluate again with this version.",
      },
    );
  }
  const parsed = resultsSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new ColloquyError("results/schema", `${name} is damaged: ${z.prettifyError(parsed.error)}`, {
    hint: "Evaluate again with this version.",
  });
}

/** `results.csv`: one line a row, all columns, unrounded; unknown is empty, lists are joined by blanks. */
export function resultsCsv({ rows }: Pick<Results, "rows">): string {
  const columns = Object.keys(resultRowSchema.shape) as (keyof ResultRow)[];
  const lines = [columns.join(","), ...rows.map((row) => columns.map((column) => csvCell(row[column])).join(","))];
  return `${lines.join("\n")}\n`;
}

function csvCell(value: ResultRow[keyof ResultRow]): string {
  if (value === null) return "";
  const text = Array.isArray(value) ? value.map((part) => part ?? "").join(" ") : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
