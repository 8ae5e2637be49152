import { closeSync, fstatSync, mkdirSync, openSync, readSync, writeSync } from "node:fs";
import { join } from "node:path";
import { ColloquyError } from "../../base/errors.ts";
import { sha256 } from "../../base/hash.ts";
import { checkStoredReply, memoryStore, type ReplyStore } from "./reply-store.ts";

/*
 * One append-only file, a line for every reply: checksum of the rest, key, reply as JSON. A folder with one file a reply
 * costs twenty times as much processor time (cacache: 0.5 to 1.3 ms to keep one), which a run of many lanes would feel.
 */

/** The name carries the version of the layout. */
const fileName = "replies-1.log";

const checksumLength = 16;
const keyStart = checksumLength + 1;
const jsonStart = keyStart + 64 + 1;

/** Read at once; no line is longer. */
const blockBytes = 4 * 1024 * 1024;

interface Place {
  readonly start: number;
  readonly length: number;
}

/**
 * Replies kept in a folder that several processes of one machine may share, each seeing what the others keep. Every reply
 * goes to the system in one appended write, so killing a process loses nothing it has put. A damaged or forged entry is
 * left out with a notice, never returned. The file holds replies only, no request and no API key; deleting it forgets
 * them all.
 * @param onNotice told in words for people
 * @throws ColloquyError `llm/cache` where the folder cannot be used
 */
export function openReplyLog(folder: string, onNotice: (notice: string) => void): ReplyStore {
  const path = join(folder, fileName);
  const file = openLog(folder, path);
  const places = new Map<string, Place>();
  let scanned = 0;
  let isWritable = true;
  /** What the disk does not take any more is kept while this process lives. */
  const unwritten = memoryStore();
  let isSound = true;

  /** Takes note of what was appended since the last look, by whomever. */
  const scan = (): void => {
    const { size } = fstatSync(file);
    if (size === scanned) return;
    if (size < scanned) {
      // Somebody emptied the file.
      places.clear();
      scanned = 0;
    }
    let damaged = 0;
    while (scanned < size) {
      const block = readAt(file, scanned, Math.min(blockBytes, size - scanned));
      const end = block.lastIndexOf(10) + 1;
      damaged += noteLines(block.subarray(0, end), scanned, places);
      // Without a newline it is the last line: another process is writing it, or could not finish it, which shows with the
      // next line. Or it is none of ours.
      if (end === 0 && block.length < blockBytes) break;
      scanned += end === 0 ? block.length : end;
    }
    if (damaged > 0) onNotice(`${path}: ${damaged} damaged ${damaged === 1 ? "entry is" : "entries are"} left out`);
  };

  return {
    get(key) {
      if (!places.has(key)) scan();
      const place = places.get(key);
      if (place === undefined) return unwritten.get(key);
      const line = readAt(file, place.start, place.length);
      const reply = isEntry(line) && keyOf(line) === key ? checkStoredReply(parse(line)) : undefined;
      if (reply === undefined) {
        places.delete(key);
        if (isSound) onNotice(`${path}: an entry is damaged and left out; more of them will not be mentioned`);
        isSound = false;
      }
      return reply;
    },
    put(key, reply) {
      const content = `${key} ${JSON.stringify(reply)}`;
      // The newline before it parts this line from one that another process could not finish.
      const bytes = Buffer.from(`\n${checksum(content)} ${content}\n`);
      if (!isWritable || bytes.length > blockBytes) return unwritten.put(key, reply);
      places.delete(key);
      try {
        if (writeSync(file, bytes) < bytes.length) throw new Error("the disk is full");
        // Where other processes wrote meanwhile, it is found with the next look at the file, wherever it stands.
        if (fstatSync(file).size !== scanned + bytes.length) return;
        places.set(key, { start: scanned + 1, length: bytes.length - 2 });
        scanned += bytes.length;
      } catch (cause) {
        isWritable = false;
        unwritten.put(key, reply);
        onNotice(`${path}: further replies are kept in memory alone: ${(cause as Error).message}`);
      }
    },
    close: () => closeSync(file),
  };
}

function openLog(folder: string, path: string): number {
  try {
    mkdirSync(folder, { recursive: true });
    return openSync(path, "a+");
  } catch (cause) {
    throw new ColloquyError("llm/cache", `cannot keep replies in ${folder}: ${(cause as Error).message}`, {
      cause,
      hint: "Choose another folder with COLLOQUY_CACHE.",
    });
  }
}

function readAt(file: number, start: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  return bytes.subarray(0, readSync(file, bytes, 0, length, start));
}

/** Notes where each line of `bytes`, whole lines only, stands in the file. @returns how many are no entries */
function noteLines(bytes: Buffer, offset: number, places: Map<string, Place>): number {
  let damaged = 0;
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(10, start);
    const line = bytes.subarray(start, end);
    // The latest counts: it may stand in for an entry that was found damaged.
    if (isEntry(line)) places.set(keyOf(line), { start: offset + start, length: line.length });
    else if (line.length > 0) damaged++;
    start = end + 1;
  }
  return damaged;
}

/** Whether every byte is as it was written. */
const isEntry = (line: Buffer): boolean =>
  line.length > jsonStart && line.toString("latin1", 0, keyStart) === `${checksum(line.subarray(keyStart))} `;

const keyOf = (line: Buffer): string => line.toString("latin1", keyStart, jsonStart - 1);

const checksum = (content: string | Uint8Array): string => sha256(content).slice(0, checksumLength);

function parse(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString("utf8", jsonStart));
  } catch {
    return undefined;
  }
}
