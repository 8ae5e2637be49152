import { isRecord } from "../../base/json.ts";
import type { EpisodeRecord } from "../../contracts/trace.ts";
import { readLines } from "./read-lines.ts";
import { readRecord } from "./read-record.ts";

/** What an evaluation kept of its episodes. */
export interface JudgedEpisodes {
  /** The recipe they were played under, as it stands in the file's first line; unchecked. */
  readonly recipe: unknown;
  readonly episodes: readonly { readonly method: string; readonly record: EpisodeRecord }[];
  /** Lines that are neither. */
  readonly skipped: number;
  /** Episodes after the first 5,000, which are not looked at. */
  readonly beyond: number;
}

const longestLine = 4e6;
/** An evaluation keeps fewer; a stranger's file may hold any number. */
const mostEpisodes = 5000;

/** Reads `episodes-judged.jsonl`. @throws ColloquyError `file/read` */
export function readJudged(path: string): JudgedEpisodes {
  const episodes: { method: string; record: EpisodeRecord }[] = [];
  let recipe: unknown;
  let [skipped, beyond] = [0, 0];
  const { oversized } = readLines(path, longestLine, ({ text }) => {
    if (text.trim() === "") return;
    const value = parse(text);
    const record = readRecord(value?.["record"]);
    const method = value?.["method"];
    if (record !== undefined && typeof method === "string" && method.length < 1000) {
      if (episodes.length < mostEpisodes) episodes.push({ method, record });
      else beyond++;
    } else if (value !== undefined && isRecord(value["recipe"])) recipe ??= value["recipe"];
    else skipped++;
  });
  return { recipe, episodes, skipped: skipped + oversized, beyond };
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
