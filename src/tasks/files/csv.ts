import { type CsvError, type Info, parse } from "csv-parse/sync";
import { ColloquyError } from "../../base/errors.ts";
import type { DataRecord } from "./data-record.ts";
import { isHeader } from "./header.ts";
import { lineAt } from "./read-data-file.ts";

export type Delimiter = "," | ";" | "\t" | "|";

/** How a CSV file is read. */
export interface CsvSettings {
  readonly delimiter: Delimiter;
  /** `auto`: the first row is a header where it holds one of `names`, or else looks like one. */
  readonly header: boolean | "auto";
  /** Fields somebody asks for; numbers are columns, counted from 0. */
  readonly names: readonly string[];
}

/** A cell is text, never a missing value: only where nothing at all stands between two delimiters it is `null`. */
type Cell = string | null;

interface Row {
  readonly line: number;
  readonly cells: readonly Cell[];
}

/**
 * Reads CSV as RFC 4180 has it: delimiters, line breaks and doubled quotes inside quotes, any line ends, blank lines
 * skipped. `None`, `N/A`, `nan` and `""` are texts like others.
 * @throws ColloquyError `task/record` with file and line for damaged rows and rows of another length, `task/header`
 */
export function readCsvText(file: string, text: string, settings: CsvSettings): DataRecord[] {
  const parsed = parseRows(file, text, settings.delimiter);
  if (parsed.length === 0) return [];
  const [first] = parsed;
  // Some programs end every row but the header with a delimiter.
  const isExtra = (cell: Cell, column: number) => cell === null && column >= first.cells.length;
  const rows = parsed.map(({ line, cells }) => ({
    line,
    cells: cells.slice(0, cells.findLastIndex((cell, column) => !isExtra(cell, column)) + 1),
  }));
  for (const { line, cells } of rows) {
    if (cells.length === first.cells.length) continue;
    throw new ColloquyError(
      "task/record",
      `${file}, line ${line}: ${cells.length} columns where line ${first.line} has ${first.cells.length}`,
      { hint: 'A text with a comma, a quote or a line break stands in quotes: "yes, ""both""".' },
    );
  }
  const width = first.cells.length - countEmptyBehind(rows);
  const byNumber = settings.names.length > 0 && settings.names.every((name) => /^\d+$/.test(name));
  const named = byNumber ? [] : settings.names;
  const titles = first.cells.slice(0, width);
  const hasHeader = settings.header === "auto" ? isHeader(file, titles, named) : settings.header;
  const keys = titles.map((cell, column) => (hasHeader && !byNumber ? (cell ?? "").trim() : String(column)));
  const twice = keys.find((key, column) => key !== "" && keys.indexOf(key) < column);
  if (twice !== undefined) {
    throw new ColloquyError("task/header", `${file}, line ${first.line}: two columns are called "${twice}"`, {
      hint: "Rename one, or say that there is no header and name the columns by number.",
    });
  }
  return rows.slice(hasHeader ? 1 : 0).map(({ line, cells }) => ({
    file,
    place: `line ${line}`,
    number: line,
    fields: Object.fromEntries(keys.map((key, column) => [key, cells[column]])),
  }));
}

/** Columns behind all others in which nothing stands in any row: every row ends with a delimiter. */
function countEmptyBehind(rows: readonly Row[]): number {
  const widths = rows.map(({ cells }) => cells.findLastIndex((cell) => cell !== null) + 1);
  const used = widths.reduce((most, width) => Math.max(most, width), 1);
  return rows[0].cells.length - used;
}

/**
 * The delimiter under which the first rows have most columns, all alike and with their quotes in place; in doubt the one
 * that parts the first row most. A bar only where nothing else parts them: lists inside cells are written with bars.
 */
export function sniffDelimiter(text: string): Delimiter {
  const scores = delimiters.map((delimiter) => {
    const strict = widthUnder(text, delimiter, false);
    // Between the quotes of another delimiter stand all the others.
    return strict > 0 ? strict : widthUnder(text, delimiter, true) / 1000;
  });
  const best = Math.max(...scores);
  return best === 0 && widthUnder(text, "|", false) >= 2 ? "|" : delimiters[scores.indexOf(best)];
}

const delimiters = [",", "\t", ";"] as const;

/** Columns of the first rows; a fraction where these differ, 0 where there is one only or the quotes are out of place. */
function widthUnder(text: string, delimiter: Delimiter, relaxed: boolean): number {
  try {
    const settings = { ...options, delimiter, record_delimiter: lineEndsOf(text), relax_quotes: relaxed, to: 20 };
    const rows = parse(text, settings) as unknown as string[][];
    const width = rows[0]?.length ?? 0;
    if (width < 2) return 0;
    return rows.every((row) => row.length === width) ? width : width / 1000;
  } catch {
    return 0;
  }
}

/** Line ends of old Macintoshes only where there are no others: else a lone one is text. */
const lineEndsOf = (text: string): string[] => (text.includes("\n") ? ["\r\n", "\n"] : ["\r"]);

const options = { relax_column_count: true, skip_empty_lines: true } as const;

function parseRows(file: string, text: string, delimiter: string): Row[] {
  const bytes = Buffer.from(text);
  const lineEnds = lineEndsOf(text);
  let parsed: readonly Parsed[];
  try {
    parsed = parseBytes(bytes, delimiter, lineEnds);
  } catch (cause) {
    const { code, message, bytes: place = 0 } = cause as CsvError & { bytes?: number };
    const isOpen = code === "CSV_QUOTE_NOT_CLOSED";
    const problem = isOpen ? "a quote is opened and never closed" : message.replace(/ at line \d+/, "");
    throw new ColloquyError("task/record", `${file}, line ${lineAt(bytes, place)}: ${problem}`, {
      cause,
      hint: 'A quote inside a text is doubled, and the text stands in quotes: "said ""yes""".',
    });
  }
  return withLines(parsed, bytes, lineEnds.includes("\n") ? 10 : 13).filter(
    ({ cells }) => cells.length > 1 || (cells[0] ?? "").trim() !== "",
  );
}

interface Parsed {
  readonly record: readonly Cell[];
  readonly info: Info;
}

/** A quote in the middle of a text that stands in none is read as it is, as Python and pandas do (one row of MMLU needs it). */
function parseBytes(bytes: Buffer, delimiter: string, lineEnds: string[], relaxed = false): readonly Parsed[] {
  try {
    return parse(bytes, {
      ...options,
      delimiter,
      record_delimiter: lineEnds,
      relax_quotes: relaxed,
      info: true,
      cast: (value, { quoting }) => (value === "" && !quoting ? null : value),
    }) as unknown as Parsed[];
  } catch (error) {
    if (relaxed || (error as { code?: string }).code !== "INVALID_OPENING_QUOTE") throw error;
    return parseBytes(bytes, delimiter, lineEnds, true);
  }
}

/** The lines that rows begin at. The package counts a line end of two characters inside quotes twice; bytes it counts right. */
function withLines(parsed: readonly Parsed[], bytes: Buffer, lineEnd: number): Row[] {
  let position = 0;
  let line = 1;
  const skipTo = (end: number): void => {
    for (; position < end; position++) if (bytes[position] === lineEnd) line++;
  };
  return parsed.map(({ record, info }) => {
    let start = position;
    // Blank lines before a row are not its own.
    while (bytes[start] === 13 || bytes[start] === 10) start++;
    skipTo(start);
    const row = { line, cells: record };
    skipTo(info.bytes);
    return row;
  });
}
