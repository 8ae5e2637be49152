import { ColloquyError } from "../../base/errors.ts";
import { type CsvSettings, type Delimiter, readCsvText, sniffDelimiter } from "./csv.ts";
import type { DataRecord } from "./data-record.ts";
import { readJsonLinesText, readJsonText } from "./json.ts";
import { readParquet } from "./parquet.ts";
import { decodeText, readDataFile } from "./read-data-file.ts";
import { type FileFormat, isParquet, sniffFormat } from "./sniff-format.ts";

/** What is known of a data file before it is opened. */
export interface ReadSettings {
  readonly format: "auto" | FileFormat;
  readonly header: CsvSettings["header"];
  /** Fields somebody asks for by name. */
  readonly names: readonly string[];
}

/**
 * The records of a data file in order. gzip and, with `auto`, the format are told by content, never by the name.
 * @throws ColloquyError `file/read`, `file/large`, `file/encoding`, `task/record`, `task/header`
 */
export async function readRecords(file: string, settings: ReadSettings): Promise<DataRecord[]> {
  const bytes = readDataFile(file);
  if (settings.format === "parquet" || (settings.format === "auto" && isParquet(bytes)))
    return readParquet(file, bytes);
  const text = decodeText(file, bytes);
  const records = text.trim() === "" ? [] : read[chooseFormat(text, settings.format)](file, text, settings);
  if (records.length === 0) throw new ColloquyError("task/record", `${file} holds no records`);
  return records;
}

/**
 * Many files called .json hold JSON lines: which of the two it is, the content says in any case. No row of CSV is an object
 * of JSON to its end.
 */
function chooseFormat(text: string, format: "auto" | TextFormat): TextFormat {
  const sniffed = sniffFormat(text);
  const isJson = format === "json" || format === "jsonl";
  return format === "auto" || (isJson && sniffed !== "csv") || sniffed === "jsonl" ? sniffed : format;
}

type TextFormat = Exclude<FileFormat, "parquet">;
type TextReader = (file: string, text: string, settings: ReadSettings) => DataRecord[];

const read: Readonly<Record<TextFormat, TextReader>> = {
  csv: (file, text, { header, names }) => {
    const [line, said] = /^sep=([,;|\t])\r?(?=\n)/.exec(text) ?? [""];
    const rows = text.slice(line.length);
    const delimiter = (said as Delimiter | undefined) ?? sniffDelimiter(rows);
    return readCsvText(file, rows, { delimiter, header, names });
  },
  tsv: (file, text, { header, names }) => readCsvText(file, text, { delimiter: "\t", header, names }),
  jsonl: readJsonLinesText,
  json: readJsonText,
};
