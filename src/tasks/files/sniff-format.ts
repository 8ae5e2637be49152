/** Formats of data files. */
export type FileFormat = "csv" | "tsv" | "jsonl" | "json" | "parquet";

/** Parquet files begin and end with these four bytes. */
export function isParquet(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, 4)).toString("latin1") === "PAR1";
}

/**
 * The format of a text, by what stands in it: JSON begins with a bracket or a brace that a key, a record or an end
 * follows, else it is CSV. One record a line is JSON lines.
 */
export function sniffFormat(text: string): "csv" | "jsonl" | "json" {
  const start = text.slice(0, 2_000).trimStart();
  if (/^\[\s*[[{\]"]/.test(start)) return "json";
  if (!/^\{\s*["}]/.test(start)) return "csv";
  return isWhole(text.trimStart().split(/[\r\n]/, 1)[0]) ? "jsonl" : "json";
}

function isWhole(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}
