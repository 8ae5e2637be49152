import { existsSync, readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { checkRecipe, type Recipe } from "../../assemble/index.ts";
import { ColloquyError, describeError } from "../../base/errors.ts";
import { readText } from "../../base/files.ts";
import { isRecord, parseJson } from "../../base/json.ts";
import { quote } from "../../base/quote.ts";
import { parseResults, type Results } from "../../evaluate/index.ts";

/** What a folder holds that a report can show. Nothing in it is changed. */
export interface ReportSources {
  readonly folder: string;
  /** Training runs: the folder itself (without a name), or those under `runs` of a study. */
  readonly runs: readonly { readonly name: string; readonly folder: string }[];
  readonly recipe: Recipe | null;
  /** Of the run: versions, hashes of the questions, backend. */
  readonly environment: Readonly<Record<string, unknown>>;
  readonly results: Results | null;
  /** Why the results that are there cannot be read. */
  readonly damage: string | undefined;
  /** Episodes of an evaluation. */
  readonly judged: string | undefined;
  /** What is not there or cannot be read, in words. */
  readonly missing: readonly string[];
}

/**
 * Looks for the parts of a run, an evaluation or a study.
 * @throws ColloquyError `usage/report` where the folder holds none of them; what is wrong with the results where these
 * are all it holds
 */
export function findSources(folder: string): ReportSources {
  checkFolder(folder);
  const runs = findRuns(folder);
  const places = [folder, join(folder, "incomplete")];
  const resultsPath = places.map((place) => join(place, "results.json")).find((path) => existsSync(path));
  if (runs.length === 0 && resultsPath === undefined) {
    throw new ColloquyError("usage/report", `${folder} holds no run and no results`, {
      hint: "Name a run folder (runs/…), the folder an evaluation wrote to, or a study's folder.",
    });
  }
  const missing: string[] = [];
  const tryTo = <T>(read: () => T): T | null => {
    try {
      return read();
    } catch (error) {
      missing.push(describeError(error));
      return null;
    }
  };
  const readResults = (path: string): Results => parseResults(readRegular(path), path);
  const results =
    resultsPath === undefined
      ? null
      : runs.length === 0
        ? readResults(resultsPath)
        : tryTo(() => readResults(resultsPath));
  const damage = resultsPath === undefined || results !== null ? undefined : missing[0];
  if (resultsPath === undefined) missing.push(`It has not been judged yet: colloquy evaluate ${quote(folder)}`);
  const first = runs[0]?.folder ?? folder;
  const recipePath = join(first, "recipe.json");
  const recipe = existsSync(recipePath)
    ? tryTo(() => checkRecipe(parseJson(readRegular(recipePath), recipePath), recipePath))
    : null;
  const environmentPath = join(first, "environment.json");
  const environment = existsSync(environmentPath)
    ? tryTo(() => parseJson(readRegular(environmentPath), environmentPath))
    : null;
  const judged = [folder, join(folder, "incomplete"), ...runs.map((run) => run.folder)]
    .map((place) => join(place, "episodes-judged.jsonl"))
    .find((path) => existsSync(path));
  return {
    ...{ folder, runs, recipe, environment: isRecord(environment) ? environment : {}, results, damage, judged },
    missing,
  };
}

function checkFolder(folder: string): void {
  if (isFolder(folder)) return;
  const what = existsSync(folder)
    ? `${folder} is a file, and a report is made of a folder`
    : `there is no folder ${folder}`;
  throw new ColloquyError("usage/report", what, {
    hint: "Name a run folder (runs/…), the folder an evaluation wrote to, or a study's folder.",
  });
}

/** The text of a file; what has no end, like a pipe, is not begun. */
function readRegular(path: string): string {
  if (statSync(path).isFile()) return readText(path);
  throw new ColloquyError("file/read", `cannot read ${path}: it is no regular file`);
}

function findRuns(folder: string): ReportSources["runs"] {
  if (isRun(folder)) return [{ name: "", folder }];
  const parent = join(folder, "runs");
  if (!isFolder(parent)) return [];
  return readdirSync(parent)
    .sort((a, b) => a.localeCompare(b, "en", { numeric: true }))
    .map((name) => ({ name, folder: join(parent, name) }))
    .filter((run) => isRun(run.folder));
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

const isRun = (folder: string): boolean =>
  isFolder(folder) && ["metrics.jsonl", "recipe.json"].some((name) => existsSync(join(folder, name)));

/** What the report is called. */
export const titleOf = ({ folder, recipe, runs }: ReportSources): string =>
  runs.length === 1 && recipe !== null ? recipe.name : basename(folder);
