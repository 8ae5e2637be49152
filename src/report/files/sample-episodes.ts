import { statSync } from "node:fs";
import { hash32 } from "../../base/fnv.ts";
import type { EpisodeRecord } from "../../contracts/trace.ts";
import { readLines, readPlaces } from "./read-lines.ts";
import { readRecord } from "./read-record.ts";

/** Some of the episodes of a file, with what was met on the way. */
export interface EpisodeSample {
  /** In the order of the file. */
  readonly records: readonly EpisodeRecord[];
  /** Whole episodes in the file. */
  readonly total: number;
  /** Lines that are no episode, or too long. */
  readonly skipped: number;
  /** The last line is still being written. */
  readonly torn: boolean;
}

export interface SampleSettings {
  /** Episodes to choose. Default 120. */
  readonly size?: number;
  /** Told of every episode; `third` of the file is 0, 1 or 2. */
  readonly onRecord?: (record: EpisodeRecord, third: number) => void;
}

/** Bytes of one episode that is still looked at: a thousand agents over ten rounds need no more. */
const longestLine = 4e6;
/** What lies beyond so many kinds of episodes is one kind. */
const mostStrata = 400;

interface Candidate {
  readonly rank: number;
  readonly start: number;
  readonly bytes: number;
}

/**
 * A stratified sample of training episodes in one pass and bounded memory: equally many from each third of the file ×
 * attack × outcome, as far as there are. Within a stratum the episodes whose names hash lowest: the same file gives the
 * same sample.
 * @throws ColloquyError `file/read`
 */
export function sampleEpisodes(path: string, { size = 120, onRecord }: SampleSettings = {}): EpisodeSample {
  const fileBytes = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  const strata = new Map<string, Candidate[]>();
  let [total, skipped] = [0, 0];
  const { oversized, torn } = readLines(path, longestLine, ({ text, start, bytes }) => {
    if (text.trim() === "") return;
    const record = parseRecord(text);
    if (record === undefined) {
      skipped++;
      return;
    }
    total++;
    const third = Math.min(2, Math.floor((3 * start) / fileBytes));
    onRecord?.(record, third);
    const { attack, outcome } = record;
    const kind = JSON.stringify([third, attack.kind, attack.adversaries, attack.onset, outcome]);
    const key = strata.has(kind) || strata.size < mostStrata ? kind : "other";
    const stratum = strata.get(key) ?? [];
    strata.set(key, stratum);
    stratum.push({ rank: hash32(nameOf(record), 5), start, bytes });
    if (stratum.length > 2 * size) keepLowest(stratum, size);
  });
  const places = choose(strata, size).sort((a, b) => a.start - b.start);
  const records = readPlaces(path, places).flatMap((text) => parseRecord(text) ?? []);
  return { records, total, skipped: skipped + oversized, torn };
}

const nameOf = ({ question, seed, sample, branch, policyVersion }: EpisodeRecord): string =>
  [question, seed, sample, branch, policyVersion].join("/");

function keepLowest(stratum: Candidate[], count: number): void {
  stratum.sort((a, b) => a.rank - b.rank || a.start - b.start);
  stratum.length = Math.min(stratum.length, count);
}

/** One of each stratum by turns, until there are enough. In an order by chance, should there be more strata than that. */
function choose(strata: ReadonlyMap<string, Candidate[]>, size: number): Candidate[] {
  const order = (key: string): number => hash32(key, 6);
  const sorted = [...strata].sort(([a], [b]) => order(a) - order(b) || (a < b ? -1 : 1)).map(([, stratum]) => stratum);
  for (const stratum of sorted) keepLowest(stratum, size);
  const chosen: Candidate[] = [];
  for (let turn = 0; chosen.length < size; turn++) {
    const ready = sorted.filter(({ length }) => length > turn);
    if (ready.length === 0) break;
    chosen.push(...ready.slice(0, size - chosen.length).map((stratum) => stratum[turn]));
  }
  return chosen;
}

function parseRecord(text: string): EpisodeRecord | undefined {
  try {
    return readRecord(JSON.parse(text));
  } catch {
    return undefined;
  }
}
