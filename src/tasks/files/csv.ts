import { type CsvError, type Info, parse } from "csv-parse/sync";
import { ColloquyError } from "../../base/errors.ts";
import type { DataRecord } from "./data-record.ts";
import { isHeader } from "./header.ts";
import { lineAt } from "./read-data-file.ts";

/** How a CSV file is read. */
export interface CsvSettings {
  readonly delimiter: "," | ";" | "\t";
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
  const rows = parseRows(file, text, settings.delimiter);
  if (rows.length === 0) return [];
  const [first] = rows;
  for (const { line, cells } of rows) {
    if (cells.length === first.cells.length) continue;
    throw new ColloquyError(
      "task/record",
      `${file}, line ${line}: ${cells.length} columns where line ${first.line} has ${first.cells.length}`,
      { hint: 'A text with a comma, a quote or a line break stands in quotes: "yes, ""both""".' },
    );
  }
  const byNumber = settings.names.length > 0 && settings.names.every((name) => /^\d+$/.test(name));
  const named = byNumber ? [] : settings.names;
  const hasHeader = settings.header === "auto" ? isHeader(file, first.cells, named) : settings.header;
  const keys = first.cells.map((cell, column) => (hasHeader && !byNumber ? (cell ?? "").trim() : String(column)));
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
    fields: Object.fromEntries(cells.map((cell, column) => [keys[column], cell])),
  }));
}

/** The delimiter under which the first rows have most columns, all alike; in doubt the one that parts the first row most. */
export function sniffDelimiter<D extends CsvSettings["delimiter"]>(text: string, candidates: readonly D[]): D {
  const scores = candidates.map((delimiter) => {
    try {
      const rows = parse(text, { ...options, delimiter, relax_quotes: true, to: 20 }) as unknown as string[][];
      const width = rows[0]?.length ?? 0;
      if (width < 2) return 0;
      return rows.every((row) => row.length === width) ? width : width / 1000;
    } catch {
      return 0;
    }
  });
  return candidates[scores.indexOf(Math.max(...scores))];
}

const options = { relax_column_count: true, skip_empty_lines: true } as const;

function parseRows(file: string, text: string, delimiter: string): Row[] {
  const bytes = Buffer.from(text);
  // Line ends of old Macintoshes only where there are no others: else a lone one is text.
  const lineEnds = text.includes("\n") ? ["\r\n", "\n"] : ["\r"];
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
