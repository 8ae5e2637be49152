import { ColloquyError } from "../../base/errors.ts";
import { isRecord } from "../../base/json.ts";

/** One record of a data file, with the place a reader finds it at. */
export interface DataRecord {
  readonly file: string;
  /** `line 12`, or `record 12` in files that have no lines. */
  readonly place: string;
  /** The number in `place`: 1-based, unique in its file. */
  readonly number: number;
  /** By column or key; columns of a CSV file without a header are called `0`, `1`, … */
  readonly fields: Readonly<Record<string, unknown>>;
  /** The part (`train`, `dev`, …) that the file itself says it belongs to. */
  readonly part?: string;
}

/** The most characters a text of a question may have. */
export const longestText = 100_000;

/**
 * The value at a dotted path: `question.stem`, `choices.0`. A key that holds dots itself comes first; a list of records
 * gives the list of their values (`choices.text`). Only a record's own keys count, so `__proto__` finds nothing.
 * @returns `undefined` where there is none; `null` for JSON's null and for a cell of a CSV file with nothing in it
 */
export function valueAt(value: unknown, path: string): unknown {
  if (Array.isArray(value)) {
    if (/^\d+(?:\.|$)/.test(path)) return stepInto(value, path);
    const values = value.map((item) => valueAt(item, path));
    return values.length > 0 && values.every((found) => found !== undefined) ? values : undefined;
  }
  if (!isRecord(value)) return undefined;
  return Object.hasOwn(value, path) ? value[path] : stepInto(value, path);
}

function stepInto(value: object, path: string): unknown {
  const dot = path.indexOf(".");
  const key = dot < 0 ? path : path.slice(0, dot);
  if (!Object.hasOwn(value, key)) return undefined;
  const inner = (value as Record<string, unknown>)[key];
  return dot < 0 ? inner : valueAt(inner, path.slice(dot + 1));
}

/** The text at a path; numbers and booleans as they are written. @throws ColloquyError `task/field` */
export function textAt(record: DataRecord, path: string): string {
  return asText(record, path, valueAt(record.fields, path));
}

/** As `textAt`, `undefined` where there is nothing. */
export function optionalTextAt(record: DataRecord, path: string): string | undefined {
  const value = valueAt(record.fields, path);
  return value === undefined || value === null ? undefined : asText(record, path, value);
}

/** A value as text. @throws ColloquyError `task/field` for what is no text, or too long a one */
export function asText(record: DataRecord, field: string, value: unknown): string {
  if (typeof value === "string") {
    if (value.length <= longestText) return value;
    throw fieldError(record, field, `holds ${value.length} characters; at most ${longestText} are read`);
  }
  if (typeof value === "boolean" || (typeof value === "number" && Number.isFinite(value))) return String(value);
  if (value === undefined) {
    throw fieldError(record, field, "is missing", `The fields there: ${Object.keys(record.fields).join(", ")}.`);
  }
  throw fieldError(record, field, `should hold a text, not ${show(value)}`);
}

/** An error about one field of one record: file, line, field, and what is wrong. */
export function fieldError(record: DataRecord, field: string, problem: string, hint?: string): ColloquyError {
  return new ColloquyError("task/field", `${record.file}, ${record.place}: field "${field}" ${problem}`, { hint });
}

/** A value of a stranger, short enough for a message. */
export function show(value: unknown): string {
  const text = value === undefined ? "nothing" : JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 77)}…` : text;
}
