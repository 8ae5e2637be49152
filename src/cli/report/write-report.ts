import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { WorldName } from "../../assemble/index.ts";
import { ColloquyError, describeError } from "../../base/errors.ts";
import { readText, writeFileAtomic } from "../../base/files.ts";
import { readMetrics } from "../../report/files/metrics.ts";
import { type PageAssets, renderReport } from "../../report/html.ts";
import type { ReportData, ReportSection } from "../../report/report-data.ts";
import { renderWorkplaceReport } from "../../report/workplace/sections/workplace-report.ts";
import { collectEpisodes } from "./episodes.ts";
import { factsOf, headlineOf } from "./facts.ts";
import { worldOfFolder } from "./folder-world.ts";
import {
  comparisonSection,
  creditSection,
  judgedSections,
  learningSection,
  mainMethod,
  teamSection,
} from "./sections.ts";
import { findSources, titleOf } from "./sources.ts";
import { collectWorkplaceReport } from "./workplace-report.ts";

/** A report that was written. */
export interface WrittenReport {
  readonly path: string;
  readonly bytes: number;
  /** Episodes in it. */
  readonly episodes: number;
  /** What is not in it, in words. */
  readonly missing: readonly string[];
}

/** A file that opens at once and can be sent by mail. */
const mostBytes = 30e6;
/** Of those, for episodes at first. */
const episodeBytes = 20e6;

/** What a report shows as a page, with what is not in it. @param room bytes for episodes */
type Render = (
  folder: string,
  room: number,
  assets?: PageAssets,
) => Promise<Omit<WrittenReport, "path" | "bytes"> & { readonly page: string }>;

/** How the report of each world is made. */
const reports: Readonly<Record<WorldName, Render>> = {
  "deliberation-v1": async (folder, room, assets = readAssets()) => {
    const { data, missing } = await collectReport(folder, room);
    return { page: renderReport(data, assets), episodes: data.browser.episodes.length, missing };
  },
  "workplace-v1": async (folder, room, assets) => {
    const { data, missing } = collectWorkplaceReport(folder, room);
    return { page: renderWorkplaceReport(data, assets), episodes: data.episodes.episodes.length, missing };
  },
};

/**
 * Writes `report.html` into the folder of a run, an evaluation or a study, and changes nothing else there.
 * @throws ColloquyError `usage/report` where there is nothing to show, `report/page` where the package was not built whole
 */
export async function writeReport(folder: string, assets?: PageAssets): Promise<WrittenReport> {
  const path = join(folder, "report.html");
  const render = reports[worldOfFolder(folder)];
  for (let room = episodeBytes; ; room /= 2) {
    const { page, ...report } = await render(folder, room, assets);
    const content = Buffer.from(page);
    // Drawings and tables take little; what a page of theirs alone comes to is written whatever its size.
    if (content.length > mostBytes && room > 1e5) continue;
    writeBeside(path, content);
    return { path, bytes: content.length, ...report };
  }
}

/** The report is made from what is written already: where it cannot be made, nothing else is lost. */
export async function tryReport({
  out,
  onWarning,
}: {
  readonly out: string;
  onWarning?(warning: string): void;
}): Promise<void> {
  try {
    await writeReport(out);
  } catch (error) {
    onWarning?.(`no report: ${describeError(error)}`);
  }
}

/**
 * Everything that a report of a folder shows. What is missing is left out and said.
 * @param room bytes for episodes
 */
export async function collectReport(
  folder: string,
  room = episodeBytes,
): Promise<{ readonly data: ReportData; readonly missing: readonly string[] }> {
  const sources = findSources(folder);
  const { runs, results } = sources;
  const metrics = runs
    .map(({ name, folder }) => ({ name, path: join(folder, "metrics.jsonl") }))
    .filter(({ path }) => existsSync(path))
    .map(({ name, path }) => readMetrics(path, name));
  const episodes = await collectEpisodes(sources, room);
  const main = results === null ? "learned" : mainMethod(results);
  const judgedCredits = results?.credits ?? [];
  const damaged = metrics.reduce((sum, run) => sum + run.damaged, 0);
  const missing = [
    ...sources.missing,
    ...(metrics.length === 0 ? ["There is no learning curve: no metrics.jsonl was found."] : []),
    ...(damaged === 0 ? [] : [`${damaged === 1 ? "1 line" : `${damaged} lines`} of metrics.jsonl could not be read.`]),
    ...(metrics.some(({ torn }) => torn) ? ["The run was being written: this is how far it had come."] : []),
    ...(results !== null && sources.judged === undefined ? ["No episodes of the evaluation were kept."] : []),
  ];
  const credits =
    judgedCredits.length > 0
      ? creditSection(judgedCredits, main, "Over all judged episodes.")
      : creditSection(episodes.credits, "learned", "Over the last third of training; none were counted in judging.");
  const sections: ReportSection[] = [
    ...(results === null ? [] : judgedSections(results)),
    ...credits,
    ...(results === null ? [] : teamSection(results)),
    ...learningSection(metrics),
    ...(results === null ? [] : comparisonSection(results)),
    ...(missing.length === 0 ? [] : [{ heading: "Not in this report", text: missing.join("\n\n") }]),
  ];
  const data: ReportData = {
    title: titleOf(sources),
    headline: headlineOf(sources, metrics),
    facts: factsOf(sources, metrics),
    sections,
    browser: episodes.browser,
  };
  return { data, missing };
}

/** A report stands in the folder it is about. */
function writeBeside(path: string, content: Uint8Array): void {
  try {
    writeFileAtomic(path, content);
  } catch (cause) {
    if (!(cause instanceof ColloquyError)) throw cause;
    throw new ColloquyError(cause.code, cause.message, {
      cause,
      hint: "The report is written into the folder itself. Where that cannot be, copy the folder and name the copy.",
    });
  }
}

/** Made when the package is built, from `src/report/page`. */
function readAssets(): PageAssets {
  const folder = resolve(import.meta.dirname, "..", "..", "..", "dist", "report");
  const [script, style] = ["page.js", "page.css"].map((name) => join(folder, name));
  if (!existsSync(script) || !existsSync(style)) {
    throw new ColloquyError("report/page", `the page's script and style are not in ${folder}`, {
      hint: "Build the package: npm run build",
    });
  }
  return { script: readText(script), style: readText(style) };
}
