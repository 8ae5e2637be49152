import type { AnswerKind, CodeTask } from "../../contracts/task.ts";
import { type DataRecord, fieldError, optionalTextAt } from "../files/data-record.ts";
import type { ChoiceTexts } from "./read-options.ts";

/** A benchmark whose files are known: nothing but their place has to be said. */
export interface Benchmark {
  readonly summary: string;
  readonly kind: AnswerKind;
  /** Changes whenever the same file would give other questions. */
  readonly version: string;
  readonly card: TaskCard;
  /** Its own files in a folder that holds several benchmarks. */
  readonly files?: RegExp;
  /** How its records may look; the first that fits the first record of a file reads the file. */
  readonly forms: readonly Form[];
}

/** What to know before using a benchmark. */
export interface TaskCard {
  readonly title: string;
  /** Where the files can be had, the known good copy first. */
  readonly sources: readonly Source[];
  readonly licence: string;
  /** Questions of each file or part. */
  readonly counts: Readonly<Record<string, number>>;
  /** The fields that are read, form by form. */
  readonly fields: readonly string[];
  readonly notes?: string;
}

export interface Source {
  readonly url: string;
  /** The commit that these readers were tried on, where they were. */
  readonly commit?: string;
  readonly files: string;
}

/** One way in which the records of a benchmark are written. */
export interface Form {
  readonly fits: (fields: Readonly<Record<string, unknown>>) => boolean;
  readonly read: (record: DataRecord) => Draft;
}

/** A question as it stands in the file, before its answer has been understood. */
export interface Draft {
  readonly text: string;
  /** Absent for open questions. */
  readonly options?: ChoiceTexts;
  /** As given; `undefined` where there is none. */
  readonly answer: unknown;
  /** Where the answer stands, for messages. */
  readonly answerField: string;
  /** What the first option is called where answers are numbers. Absent: what fits the file. */
  readonly answerBase?: 0 | 1;
  readonly id?: string;
  readonly subject?: string;
  readonly code?: CodeTask;
}

/** Whether a record has all of these fields. */
export const hasFields =
  (...names: readonly string[]) =>
  (fields: Readonly<Record<string, unknown>>): boolean =>
    names.every((name) => Object.hasOwn(fields, name));

/** `{ id }`, `{ subject }`, … where the field is there and holds something. */
export function optional<K extends "id" | "subject">(
  record: DataRecord,
  key: K,
  path: string,
): { readonly [key in K]?: string } {
  const text = optionalTextAt(record, path);
  return (text === undefined || text === "" ? {} : { [key]: text }) as { readonly [key in K]?: string };
}

/** What stands behind the last `####` of a worked solution, else the whole text. */
export function finalAnswer(record: DataRecord, field: string, solution: string): string {
  const mark = solution.lastIndexOf("####");
  if (mark < 0) return solution;
  const answer = solution.slice(mark + 4).trim();
  if (answer === "") throw fieldError(record, field, "has nothing behind its last ####");
  return answer;
}
