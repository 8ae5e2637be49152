import { closeSync, fstatSync, openSync, readSync, statSync } from "node:fs";
import { isRecord } from "../base/json.ts";
import type { LogRow } from "../contracts/run-log.ts";

/** Reads a log that grows, a piece at a time. */
export interface LogFollower {
  /** Rows that have come since the last look; with `restarted`, the file was begun anew and they are its first ones. */
  look(): { readonly restarted: boolean; readonly rows: readonly LogRow[] };
  /** Forgets what was read: the next look begins at the start of the file. */
  rewind(): void;
}

/** Longer lines are no rows of ours: they are passed over. */
const maxLineBytes = 64 * 1024;
/** Bytes of a look; what is left comes with the next one. */
const maxLookBytes = 16 * 1024 * 1024;
/** Bytes before our place in the file that must still be there, or else it is another file. */
const tailBytes = 256;

/**
 * Follows a file of JSON lines. It may not be there yet, its last line may be half written, and it may be cut off or begun
 * anew at any time: by its end and its last bytes it is known again. Lines that are no rows are passed over. Nothing is
 * thrown: a file that cannot be read has no rows.
 * @param most larger numbers are passed over
 */
export function followLog(path: string, most = Infinity): LogFollower {
  let position = 0;
  let tail = Buffer.alloc(0);
  const rewind = (): void => {
    position = 0;
    tail = Buffer.alloc(0);
  };
  const look = (file: number): { restarted: boolean; rows: LogRow[] } => {
    const size = fstatSync(file).size;
    const restarted = position > size || !readAt(file, position - tail.length, tail.length).equals(tail);
    if (restarted) rewind();
    const bytes = readAt(file, position, Math.min(size - position, maxLookBytes));
    const rows: LogRow[] = [];
    let start = 0;
    for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, start)) {
      const row = end - start > maxLineBytes ? undefined : parseRow(bytes.toString("utf8", start, end), most);
      if (row !== undefined) rows.push(row);
      start = end + 1;
    }
    // A line that never ends would be read again and again.
    if (start === 0 && bytes.length > maxLineBytes) start = bytes.length;
    tail = Buffer.concat([tail, bytes.subarray(0, start)]).subarray(-tailBytes);
    position += start;
    return { restarted, rows };
  };
  return {
    rewind,
    look() {
      let file: number;
      try {
        // A pipe would be waited for.
        if (!statSync(path).isFile()) return { restarted: false, rows: [] };
        file = openSync(path, "r");
      } catch {
        const restarted = position > 0;
        rewind();
        return { restarted, rows: [] };
      }
      try {
        return look(file);
      } catch {
        return { restarted: false, rows: [] };
      } finally {
        closeSync(file);
      }
    },
  };
}

function readAt(file: number, position: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  let done = 0;
  while (done < length) {
    const read = readSync(file, bytes, done, length - done, position + done);
    if (read === 0) break;
    done += read;
  }
  return bytes.subarray(0, done);
}

/** Numbers of a row that are kept. */
const maxKeys = 100;

function parseRow(line: string, most: number): LogRow | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (!isRecord(value)) return undefined;
  const { step, ...rest } = value;
  if (!Number.isSafeInteger(step) || (step as number) < 0 || (step as number) > most) return undefined;
  const values = Object.entries(rest).filter(
    (entry): entry is [string, number] =>
      typeof entry[1] === "number" && Math.abs(entry[1]) <= most && entry[0].length <= 100,
  );
  return { step: step as number, values: values.slice(0, maxKeys) };
}
