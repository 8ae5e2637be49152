import { readFileSync, statSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { ColloquyError } from "../../base/errors.ts";

/** The most bytes a data file may have, unzipped: JavaScript's longest text. */
export const largestFileBytes = 500_000_000;

/**
 * The bytes of a data file, unzipped where they begin as gzip does (never by the name).
 * @throws ColloquyError `file/read`, and `file/large` before a file that is too large, or unzips to one, fills the memory
 */
export function readDataFile(path: string, limitBytes = largestFileBytes): Buffer {
  try {
    const { size } = statSync(path);
    if (size > limitBytes) throw tooLarge(path, `has ${size} bytes`, limitBytes);
    const bytes = readFileSync(path);
    const isZipped = bytes.length > 2 && bytes[0] === 0x1f && bytes[1] === 0x8b;
    return isZipped ? gunzipSync(bytes, { maxOutputLength: limitBytes }) : bytes;
  } catch (cause) {
    if (cause instanceof ColloquyError) throw cause;
    const { code, message } = cause as NodeJS.ErrnoException;
    if (code === "ERR_BUFFER_TOO_LARGE") throw tooLarge(path, "unzips to more", limitBytes);
    const isMissing = code === "ENOENT";
    throw new ColloquyError("file/read", `cannot read ${path}: ${isMissing ? "no such file" : message}`, {
      cause,
      hint: isMissing ? "Check the path; relative paths start at the current folder." : undefined,
    });
  }
}

function tooLarge(path: string, problem: string, limitBytes: number): ColloquyError {
  return new ColloquyError("file/large", `${path} ${problem}; at most ${limitBytes} bytes are read`, {
    hint: "Cut the file into several and name their folder, or keep the questions that are needed.",
  });
}

/** UTF-8 text without its byte-order mark. @throws ColloquyError `file/encoding` for UTF-16, other encodings and no text */
export function decodeText(path: string, bytes: Buffer): string {
  const first = bytes.subarray(0, 2).toString("hex");
  if (first === "fffe" || first === "feff") throw encodingError(path, "is UTF-16 text, not UTF-8", "utf-16");
  const zero = bytes.indexOf(0);
  if (zero >= 0) {
    throw new ColloquyError("file/encoding", `${path} is no text: line ${lineAt(bytes, zero)} holds a NUL byte`, {
      hint: "Data files are CSV, JSON, JSON lines or Parquet, as they are or gzipped.",
    });
  }
  try {
    // TextDecoder drops the mark itself.
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw encodingError(path, `is not UTF-8 text: see line ${lineOfBadByte(bytes)}`, "latin1");
  }
}

function encodingError(path: string, problem: string, encoding: string): ColloquyError {
  return new ColloquyError("file/encoding", `${path} ${problem}`, {
    hint: `Convert it first, for example: iconv -f ${encoding} -t utf-8 FILE > FILE.utf8`,
  });
}

/** The 1-based line of a byte or a character. */
export function lineAt(content: Uint8Array | string, position: number): number {
  let line = 1;
  for (let i = 0; i < position; i++)
    if ((typeof content === "string" ? content.charCodeAt(i) : content[i]) === 10) line++;
  return line;
}

function lineOfBadByte(bytes: Buffer): number {
  for (let start = 0, line = 1; ; line++) {
    const newline = bytes.indexOf(10, start);
    const end = newline < 0 ? bytes.length : newline;
    const text = bytes.subarray(start, end);
    if (newline < 0 || !Buffer.from(text.toString("utf8")).equals(text)) return line;
    start = end + 1;
  }
}
