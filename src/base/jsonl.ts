import { closeSync, existsSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from "node:fs";
import { ColloquyError } from "./errors.ts";
import { readBytes, writeError } from "./files.ts";
import { parseJson } from "./json.ts";

/** The records of a JSON-lines file, with what had to be repaired. */
export interface JsonLines {
  readonly records: readonly unknown[];
  /** The last line was cut off in the middle (a writer was killed) and has been left out. */
  readonly torn: boolean;
}

/**
 * Reads JSON lines from a stranger: byte-order mark, CRLF and blank lines are fine; a torn **last** line is left out and
 * reported; a damaged line in the middle is an error that names it. gzip is recognised by content.
 * @throws ColloquyError `file/read`, `file/encoding`, `jsonl/line`
 */
export function readJsonLines(path: string): JsonLines {
  const bytes = readBytes(path);
  const records: unknown[] = [];
  let number = 0;
  for (let start = skipMark(bytes); start < bytes.length; ) {
    const newline = bytes.indexOf(10, start);
    const end = newline < 0 ? bytes.length : newline;
    number++;
    const isLast = newline < 0;
    try {
      const line = new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(start, end)).trim();
      if (line !== "") records.push(parseJson(line, `line ${number}`));
    } catch (cause) {
      if (isLast) return { records, torn: true };
      if (cause instanceof ColloquyError) throw new ColloquyError("jsonl/line", `${path}, ${cause.message}`, { cause });
      throw new ColloquyError("file/encoding", `${path}, line ${number} is not UTF-8 text`, {
        cause,
        hint: "Convert the file first, for example: iconv -f latin1 -t utf-8 FILE > FILE.utf8",
      });
    }
    start = end + 1;
  }
  return { records, torn: false };
}

function skipMark(bytes: Uint8Array): number {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
}

/** An append-only JSON-lines file whose length can be noted in a checkpoint and returned to. */
export interface JsonLinesWriter {
  append(record: unknown): void;
  /** Bytes written so far: a checkpoint keeps it, so that a resumed run cuts off what came after. */
  size(): number;
  close(): void;
}

/**
 * Opens for appending at `size` bytes, or, without it and where the file is shorter, behind the last whole record; what
 * stands further behind is cut off. A record that lacks only its newline counts as whole and gets one.
 * @throws ColloquyError `file/write`
 */
export function appendJsonLines(path: string, size?: number): JsonLinesWriter {
  let file: number;
  let position: number;
  try {
    file = openSync(path, existsSync(path) ? "r+" : "w+");
    const found = fstatSync(file).size;
    position = size !== undefined && size <= found ? size : endOfLastRecord(file, found);
    ftruncateSync(file, position);
  } catch (cause) {
    throw writeError(path, cause);
  }
  return {
    append(record) {
      const bytes = Buffer.from(`${JSON.stringify(record)}\n`);
      try {
        for (let written = 0; written < bytes.length; ) {
          written += writeSync(file, bytes, written, bytes.length - written, position + written);
        }
      } catch (cause) {
        throw writeError(path, cause);
      }
      position += bytes.length;
    },
    size: () => position,
    close: () => closeSync(file),
  };
}

function endOfLastRecord(file: number, size: number): number {
  const start = endOfLastLine(file, size);
  if (start === size) return size;
  const tail = Buffer.alloc(size - start);
  readSync(file, tail, 0, tail.length, start);
  if (!isRecordLine(tail)) return start;
  writeSync(file, "\n", size);
  return size + 1;
}

function isRecordLine(bytes: Uint8Array): boolean {
  try {
    parseJson(new TextDecoder("utf-8", { fatal: true }).decode(bytes), "the last line");
    return true;
  } catch {
    return false;
  }
}

function endOfLastLine(file: number, size: number): number {
  const block = Buffer.alloc(64 * 1024);
  for (let end = size; end > 0; ) {
    const start = Math.max(0, end - block.length);
    const read = readSync(file, block, 0, end - start, start);
    const newline = block.lastIndexOf(10, read - 1);
    if (newline >= 0) return start + newline + 1;
    end = start;
  }
  return 0;
}
