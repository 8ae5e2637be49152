import { closeSync, fstatSync, openSync, readSync, statSync } from "node:fs";
import { ColloquyError } from "../../base/errors.ts";

/** A line of a file: where its bytes stand, and its text. */
export interface FileLine {
  readonly start: number;
  readonly bytes: number;
  readonly text: string;
}

/** What came of reading a file line by line. */
export interface LinesRead {
  /** Whole lines, those that were too long included. */
  readonly lines: number;
  /** Lines too long to be looked at. */
  readonly oversized: number;
  /** The last line has no end: it is still being written, or its writer was killed. It is not read. */
  readonly torn: boolean;
  readonly bytes: number;
}

const blockBytes = 1 << 20;

/**
 * Reads a file as it is now, line by line, in bounded memory. A file that grows meanwhile is read to where it ended.
 * @param longest bytes of a line that is still read
 * @throws ColloquyError `file/read`
 */
export function readLines(path: string, longest: number, visit: (line: FileLine) => void): LinesRead {
  const file = open(path);
  try {
    const size = fstatSync(file).size;
    const block = Buffer.alloc(blockBytes);
    let parts: Buffer[] = [];
    let lineStart = 0;
    let [lines, oversized, place] = [0, 0, 0];
    const keep = (piece: Buffer, end: number): void => {
      if (end - lineStart > longest) parts = [];
      else if (piece.length > 0) parts.push(Buffer.from(piece));
    };
    while (place < size) {
      const read = readSync(file, block, 0, Math.min(blockBytes, size - place), place);
      if (read === 0) break;
      let from = 0;
      for (let at = block.indexOf(10); at >= 0 && at < read; at = block.indexOf(10, from)) {
        const end = place + at;
        keep(block.subarray(from, at), end);
        lines++;
        if (end - lineStart > longest) oversized++;
        else visit({ start: lineStart, bytes: end - lineStart, text: Buffer.concat(parts).toString("utf8") });
        parts = [];
        from = at + 1;
        lineStart = place + from;
      }
      keep(block.subarray(from, read), place + read);
      place += read;
    }
    return { lines, oversized, torn: lineStart < place, bytes: place };
  } finally {
    closeSync(file);
  }
}

/** The texts at some places of a file, in the order asked for. @throws ColloquyError `file/read` */
export function readPlaces(
  path: string,
  places: readonly { readonly start: number; readonly bytes: number }[],
): string[] {
  const file = open(path);
  try {
    return places.map(({ start, bytes }) => {
      const piece = Buffer.alloc(bytes);
      return piece.toString("utf8", 0, readSync(file, piece, 0, bytes, start));
    });
  } finally {
    closeSync(file);
  }
}

function open(path: string): number {
  try {
    // A pipe would be waited for.
    if (!statSync(path).isFile()) throw new Error("it is no regular file");
    return openSync(path, "r");
  } catch (cause) {
    throw new ColloquyError("file/read", `cannot read ${path}: ${(cause as Error).message}`, { cause });
  }
}
