import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { gunzipSync } from "node:zlib";
import { ColloquyError } from "./errors.ts";

/**
 * Replaces a file in one step: written beside it, flushed, then renamed, so that a crash leaves the old file or the new
 * one, never half of either. Folders are made. @throws ColloquyError `file/write` (disk full, read-only, …)
 */
export function writeFileAtomic(path: string, content: string | Uint8Array): void {
  const temporary = `${path}.${process.pid}.part`;
  try {
    mkdirSync(dirname(path), { recursive: true });
    const file = openSync(temporary, "w");
    try {
      const bytes = typeof content === "string" ? Buffer.from(content) : content;
      for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, path);
  } catch (cause) {
    removeQuietly(temporary);
    throw writeError(path, cause);
  }
}

/** What went wrong before is the thing to say, not that its remains cannot be removed either. */
function removeQuietly(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {}
}

/** A write that failed, in words that say what to do. */
export function writeError(path: string, cause: unknown): ColloquyError {
  const { code = "", syscall } = cause as NodeJS.ErrnoException;
  // Making a folder and those above it on a read-only disk, Node says that there is no such file.
  const isReadOnly = ["EROFS", "EACCES", "EPERM"].includes(code) || (code === "ENOENT" && syscall === "mkdir");
  const hint =
    code === "ENOSPC"
      ? "The disk is full. Free some space and run the same command again: it goes on from the last saved step."
      : isReadOnly
        ? "The place is read-only for this user. Choose another with --out."
        : undefined;
  return new ColloquyError("file/write", `cannot write ${path}: ${(cause as Error).message}`, { cause, hint });
}

/** The bytes of a file, unzipped where they begin as gzip does (never by the name). @throws ColloquyError `file/read` */
export function readBytes(path: string): Buffer {
  try {
    const bytes = readFileSync(path);
    return bytes.length > 2 && bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes;
  } catch (cause) {
    const missing = (cause as NodeJS.ErrnoException).code === "ENOENT";
    throw new ColloquyError(
      "file/read",
      `cannot read ${path}: ${missing ? "no such file" : (cause as Error).message}`,
      {
        cause,
        hint: missing ? "Check the path; relative paths start at the current folder." : undefined,
      },
    );
  }
}

/** A UTF-8 text file without its byte-order mark. @throws ColloquyError `file/encoding` when it is not UTF-8 */
export function readText(path: string): string {
  const bytes = readBytes(path);
  try {
    // TextDecoder drops the mark itself.
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new ColloquyError("file/encoding", `${path} is not UTF-8 text`, {
      cause,
      hint: "Convert it first, for example: iconv -f latin1 -t utf-8 FILE > FILE.utf8",
    });
  }
}
