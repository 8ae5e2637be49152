import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { ColloquyError } from "../../base/errors.ts";
import type { DataRecord } from "./data-record.ts";
import { largestFileBytes } from "./read-data-file.ts";

const limit = { maxOutputLength: largestFileBytes };

/**
 * Reads a Parquet file: uncompressed, snappy, gzip or brotli.
 * @throws ColloquyError `task/record` for a damaged file or another compression
 */
export async function readParquet(file: string, bytes: Buffer): Promise<DataRecord[]> {
  const { parquetReadObjects } = await import("hyparquet");
  let rows: Record<string, unknown>[];
  try {
    rows = await parquetReadObjects({
      file: new Uint8Array(bytes).buffer,
      compressors: {
        GZIP: (input) => gunzipSync(input, limit),
        BROTLI: (input) => brotliDecompressSync(input, limit),
      },
    });
  } catch (cause) {
    throw new ColloquyError("task/record", `${file} cannot be read as Parquet: ${(cause as Error).message}`, {
      cause,
      hint: "Write it again with snappy or without compression: df.to_parquet(FILE, compression='snappy').",
    });
  }
  return rows.map((row, index) => {
    const fields = toPlain(row) as Record<string, unknown>;
    return { file, place: `record ${index + 1}`, number: index + 1, fields };
  });
}

/** Values as JSON would have them: whole numbers of 64 bits as numbers, or as text where these end. */
function toPlain(value: unknown): unknown {
  if (typeof value === "bigint") return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (ArrayBuffer.isView(value)) return Array.from(value as unknown as ArrayLike<unknown>, toPlain);
  if (Array.isArray(value)) return value.map(toPlain);
  if (value === null || typeof value !== "object" || value instanceof Date) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, toPlain(inner)]));
}
