import { isRecord } from "../../base/json.ts";
import { readLines } from "./read-lines.ts";

/** What a report needs of one run's `metrics.jsonl`. */
export interface RunMetrics {
  /** The run's name among those of its study; empty where there is one run. */
  readonly name: string;
  /** By key (`rollout/utility`, …): what was logged, by update. */
  readonly series: ReadonlyMap<string, readonly Logged[]>;
  readonly updates: number;
  /** Training episodes, and calls of agents they took; NaN where a number of them cannot be true. */
  readonly episodes: number;
  readonly calls: number;
  /** Validations: accuracy, or utility, over so many episodes. */
  readonly validations: readonly Validation[];
  /** The last line is still being written. */
  readonly torn: boolean;
  /** Lines that could not be read. */
  readonly damaged: number;
}

/** `low` and `high` bound the 95 % interval, where it was logged. */
export interface Validation extends Logged {
  readonly episodes: number;
  readonly low?: number;
  readonly high?: number;
}

export interface Logged {
  readonly step: number;
  readonly value: number;
}

const longestLine = 100_000;
const keys = ["rollout/utility", "rollout/participants", "rollout/edges", "train/entropy"] as const;

/** Reads the metrics of a run as they are now. @throws ColloquyError `file/read` */
export function readMetrics(path: string, name: string): RunMetrics {
  const series = new Map<string, Logged[]>(keys.map((key) => [key, []]));
  const validations: Validation[] = [];
  let [updates, episodes, calls, damaged] = [0, 0, 0, 0];
  const { torn, oversized } = readLines(path, longestLine, ({ text }) => {
    const entry = parseEntry(text);
    if (entry === undefined) {
      if (text.trim() !== "") damaged++;
      return;
    }
    const { step } = entry;
    updates = Math.max(updates, step);
    episodes += countIn(entry, "rollout/episodes");
    calls += countIn(entry, "rollout/calls");
    for (const key of keys) {
      const value = numberIn(entry, key);
      if (value !== undefined) series.get(key)!.push({ step, value });
    }
    // Right answers where there are some, else the mean utility.
    const score = numberIn(entry, "eval/accuracy") ?? numberIn(entry, "eval/utility");
    if (score !== undefined && score >= 0 && score <= 1)
      validations.push({
        step,
        value: score,
        episodes: numberIn(entry, "eval/episodes") ?? 0,
        low: numberIn(entry, "eval/low"),
        high: numberIn(entry, "eval/high"),
      });
  });
  return { name, series, updates, episodes, calls, validations, torn, damaged: damaged + oversized };
}

type Entry = Readonly<Record<string, unknown>> & { readonly step: number };

function parseEntry(text: string): Entry | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) && Number.isSafeInteger(value["step"]) && isPlausible(value["step"] as number)
      ? (value as Entry)
      : undefined;
  } catch {
    return undefined;
  }
}

function numberIn(entry: Entry, key: string): number | undefined {
  const value = entry[key];
  return typeof value === "number" && isPlausible(value) ? value : undefined;
}

/** 0 where nobody counted. */
const countIn = (entry: Entry, key: string): number =>
  typeof entry[key] === "number" ? (numberIn(entry, key) ?? Number.NaN) : 0;

/** No run comes to more of anything: such a number was never logged by one. */
const isPlausible = (value: number): boolean => Math.abs(value) <= 1e12;
