import { ColloquyError } from "../../base/errors.ts";
import { isRecord } from "../../base/json.ts";
import type { DataRecord } from "./data-record.ts";
import { lineAt } from "./read-data-file.ts";

/** No text of JSON holds any of them as it is. */
const lineEnd = /\r\n|[\r\n]/;

/** Reads JSON lines: one record a line; any line ends and blank lines are fine. @throws ColloquyError `task/record` with file and line */
export function readJsonLinesText(file: string, text: string): DataRecord[] {
  const records: DataRecord[] = [];
  const lines = text.split(lineEnd);
  for (const [index, line] of lines.entries()) {
    if (line.trim() === "") continue;
    const place = `line ${index + 1}`;
    let fields: unknown;
    try {
      // Files joined together have a mark of their own each.
      fields = JSON.parse(line.replace(/^\uFEFF/, ""));
    } catch (cause) {
      const cut = index === lines.length - 1 ? "; the file seems to be cut off" : "";
      throw damaged(`${file}, ${place}: not valid JSON (${(cause as Error).message})${cut}`, cause);
    }
    records.push({ file, place, number: index + 1, fields: checkRecord(file, place, fields) });
  }
  // A file of one line may be an object that holds the records.
  return records.length === 1 ? (unwrap(file, text, records[0].fields) ?? records) : records;
}

/**
 * Reads a JSON file: a list of records, or an object that holds one list under a usual name (`data`, `questions`, …), or
 * one a part (`{"train": […], "test": […]}`).
 * @throws ColloquyError `task/record` with file and line
 */
export function readJsonText(file: string, text: string): DataRecord[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    const { message } = cause as Error;
    const position = /position (\d+)/.exec(message)?.[1];
    const line = lineAt(text, position === undefined ? text.trimEnd().length : Number(position));
    throw damaged(`${file}, line ${line}: not valid JSON (${message})`, cause);
  }
  if (Array.isArray(value)) return toRecords(file, value, lineOfEach(text, value.length));
  if (!isRecord(value)) {
    throw damaged(`${file} holds no records, but a single ${typeof value}`);
  }
  return unwrap(file, text, value) ?? [{ file, place: "line 1", number: 1, fields: value }];
}

const listNames = /^(?:data|questions|examples|items|records|rows|instances|tasks|samples|problems)$/i;
const partNames = /^(?:train|training|dev|validation|valid|val|test|testing)$/i;

/** The records inside an object; `undefined` where the object is a record itself. */
function unwrap(file: string, text: string, value: Readonly<Record<string, unknown>>): DataRecord[] | undefined {
  const lists = Object.entries(value).filter(
    (entry): entry is [string, unknown[]] =>
      Array.isArray(entry[1]) && entry[1].length > 0 && entry[1].every((item) => isRecord(item)),
  );
  const isPart = lists.length > 0 && lists.every(([name]) => partNames.test(name));
  const isWrapper = lists.length === 1 && (listNames.test(lists[0][0]) || Object.keys(value).length === 1);
  if (!isPart && !isWrapper) return undefined;
  const items = lists.flatMap(([, list]) => list);
  const partOf = lists.flatMap(([name, list]) => list.map(() => (partNames.test(name) ? name : undefined)));
  return toRecords(file, items, lineOfEach(text, items.length)).map((record, index) =>
    partOf[index] === undefined ? record : { ...record, part: partOf[index] },
  );
}

function toRecords(file: string, items: readonly unknown[], lines: readonly number[] | undefined): DataRecord[] {
  return items.map((item, index) => {
    const place = lines === undefined ? `record ${index + 1}` : `line ${lines[index]} (record ${index + 1})`;
    return { file, place, number: index + 1, fields: checkRecord(file, place, item) };
  });
}

function checkRecord(file: string, place: string, value: unknown): Readonly<Record<string, unknown>> {
  if (isRecord(value)) return value;
  const kind = value === null ? "null" : Array.isArray(value) ? "a list" : `a ${typeof value}`;
  throw damaged(`${file}, ${place}: a record should be an object with named fields, not ${kind}`);
}

/** The lines at which records directly inside the outer lists begin; `undefined` where they cannot be told. */
function lineOfEach(text: string, count: number): number[] | undefined {
  const lines: number[] = [];
  const open: string[] = [];
  let line = 1;
  for (let i = 0; i < text.length; i++) {
    const character = text[i];
    if (character === "\n") line++;
    else if (character === '"') i = endOfString(text, i);
    else if (character === "]" || character === "}") open.pop();
    else if (character === "[" || character === "{") {
      const outside = open.join("");
      if (character === "{" && (outside === "[" || outside === "{[")) lines.push(line);
      open.push(character);
    }
  }
  return lines.length === count ? lines : undefined;
}

/** JSON's strings hold no line breaks, so no line is missed inside one. */
function endOfString(text: string, start: number): number {
  let i = start + 1;
  while (i < text.length && text[i] !== '"') i += text[i] === "\\" ? 2 : 1;
  return i;
}

function damaged(message: string, cause?: unknown): ColloquyError {
  return new ColloquyError("task/record", message, {
    cause,
    hint: "JSON lines hold one record a line; a JSON file holds a list of records, or an object with such a list.",
  });
}
