import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { checkRecipe, type WorkplaceRecipe } from "../../assemble/index.ts";
import { ColloquyError, describeError } from "../../base/errors.ts";
import { readText } from "../../base/files.ts";
import { parseJson } from "../../base/json.ts";
import { quote } from "../../base/quote.ts";
import {
  type KeptEpisode,
  mainWorkplaceMethod,
  parseKeptEpisodes,
  parseWorkplaceResults,
  type WorkplaceResults,
} from "../../evaluate/workplace/index.ts";
import { readMetrics } from "../../report/files/metrics.ts";
import { readLines } from "../../report/files/read-lines.ts";
import type { WorkplaceReportData } from "../../report/workplace/report-data.ts";
import { learningSection } from "./sections.ts";

const longestLine = 8e6;

/**
 * Everything that the report of a workplace shows. What is missing is left out and said.
 * @param room bytes for episodes
 * @throws ColloquyError `usage/report` where the folder holds no run and no results
 */
export function collectWorkplaceReport(
  folder: string,
  room: number,
): { readonly data: WorkplaceReportData; readonly missing: readonly string[] } {
  const missing: string[] = [];
  const tryTo = <T>(name: string, read: (path: string) => T): T | null => {
    const path = [folder, join(folder, "incomplete")].map((place) => join(place, name)).find(existsSync);
    if (path === undefined) return null;
    try {
      return read(path);
    } catch (error) {
      missing.push(describeError(error));
      return null;
    }
  };
  const results = tryTo("results.json", (path) => parseWorkplaceResults(readText(path), path));
  const recipe = tryTo("recipe.json", (path) => checkRecipe(parseJson(readText(path), path), path, "workplace-v1"));
  const metrics = tryTo("metrics.jsonl", (path) => readMetrics(path, ""));
  if (results === null && recipe === null && missing.length === 0) throw nothingThere(folder);
  if (results === null) missing.push(`It has not been judged yet: colloquy evaluate ${quote(folder)}`);
  const kept = tryTo("episodes-judged.jsonl", readKept);
  if (results !== null && kept === null) missing.push("No episodes of the evaluation were kept.");
  const episodes = fillRoom(kept?.episodes ?? [], room);
  const data: WorkplaceReportData = {
    title: recipe?.name ?? basename(folder),
    headline: results?.headline ?? ["It has not been judged."],
    command: results?.command ?? `colloquy train ${recipe?.name ?? ""}`,
    facts: factsOf(recipe, results),
    main: results === null || results.rows.length === 0 ? "learned" : mainOf(results),
    rows: results?.rows ?? [],
    comparisons: results?.comparisons ?? [],
    sections: [
      ...learningSection(metrics === null ? [] : [metrics], "utility"),
      ...(missing.length === 0 ? [] : [{ heading: "Not in this report", text: missing.join("\n\n") }]),
    ],
    episodes: { note: noteOf(kept?.episodes.length ?? 0, episodes.length, kept?.skipped ?? 0), episodes },
  };
  return { data, missing };
}

const mainOf = ({ rows }: WorkplaceResults): string => mainWorkplaceMethod(rows.map(({ method }) => method));

function nothingThere(folder: string): ColloquyError {
  return new ColloquyError("usage/report", `${folder} holds no run and no results`, {
    hint: "Name a run folder (runs/…), or the folder an evaluation wrote to.",
  });
}

function readKept(path: string): ReturnType<typeof parseKeptEpisodes> {
  const lines: unknown[] = [];
  let unreadable = 0;
  const { oversized } = readLines(path, longestLine, ({ text }) => {
    try {
      lines.push(JSON.parse(text));
    } catch {
      unreadable++;
    }
  });
  const { episodes, skipped } = parseKeptEpisodes(lines);
  return { episodes, skipped: skipped + unreadable + oversized };
}

/** As many episodes as there is room for; the first ones of the file. */
function fillRoom(episodes: readonly KeptEpisode[], room: number): KeptEpisode[] {
  let left = room;
  return episodes.filter((episode) => {
    left -= Buffer.byteLength(JSON.stringify(episode));
    return left >= 0;
  });
}

const noteOf = (kept: number, shown: number, skipped: number): string =>
  [
    kept === 0
      ? "No episodes are at hand."
      : `${shown} of ${kept} kept episodes: the first project of every cell, the same for all methods.`,
    skipped === 0 ? "" : `${skipped} lines could not be read and are left out.`,
  ]
    .filter(Boolean)
    .join(" ");

function factsOf(recipe: WorkplaceRecipe | null, results: WorkplaceResults | null): [string, string][] {
  const text = (value: unknown): string => (typeof value === "string" ? value.slice(0, 100) : "");
  const made = results?.environment ?? {};
  const seeds = [...new Set(results?.rows.flatMap((row) => row.seeds) ?? [])].join(", ");
  const facts: [string, string][] = [
    ...(recipe === null ? [] : recipeFacts(recipe)),
    ["Judging", results === null ? "" : `${results.played} of ${results.planned} episodes, seed ${seeds}`],
    ["Colloquy", [text(made["colloquy"]), text(made["commit"]).slice(0, 12)].filter(Boolean).join(", commit ")],
    ["Made on", [text(made["node"]), text(made["platform"])].filter(Boolean).join(", ")],
  ];
  return facts.filter(([, value]) => value !== "");
}

const recipeFacts = ({
  name,
  seed,
  team,
  projects,
  minds,
  decomposition,
  attack,
}: WorkplaceRecipe): [string, string][] => [
  ["Recipe", `${name}, seed ${seed}, projects drawn from seed ${projects.seed}`],
  ["Trained with", `a manager and ${team.workers} workers, ${minds.kind}`],
  ["Projects", `${projects.tier.join(", ")}, ${projects.tasks} at once, cut ${decomposition}`],
  [
    "Attack in training",
    `${attack.kind}; ${attack.adversaries.join(", ")} adversaries; onset ${attack.onsets.join(" or ")}`,
  ],
];
