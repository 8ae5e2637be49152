import { maskedCrc32c } from "./crc32c.ts";

/** One entry of a TensorBoard event file. */
export interface LogEvent {
  /** Seconds since the epoch. */
  readonly wallTime: number;
  readonly step: number;
  /**
   * `version` begins a file; `restart` says that what an earlier file told from this step on is void; else values by tag,
   * kept in 32 bits.
   */
  readonly what: "version" | "restart" | readonly (readonly [tag: string, value: number])[];
}

/*
 * Field numbers of `tensorflow.Event` (event.proto) and `tensorflow.Summary` (summary.proto). A message is a list of
 * fields, each a key (number · 8 + wire type) and its content: a varint (0), 8 bytes (1), length and bytes (2), 4 bytes (5).
 */
const wallTimeField = 1;
const stepField = 2;
const versionField = 3;
const summaryField = 5;
const sessionField = 7;
const valueField = 1;
const tagField = 1;
const simpleValueField = 2;
const statusField = 1;
const statusStart = 1;

/**
 * An event as a record of a TFRecord file: the length in 8 bytes, its masked CRC-32C, the message, its masked CRC-32C; all
 * numbers little-endian.
 */
export function encodeEvent(event: LogEvent): Buffer {
  const message = encodeMessage(event);
  const length = Buffer.alloc(8);
  length.writeUInt32LE(message.length);
  return Buffer.concat([length, checksum(length), message, checksum(message)]);
}

function encodeMessage({ wallTime, step, what }: LogEvent): Buffer {
  const time = Buffer.alloc(8);
  time.writeDoubleLE(wallTime);
  const head = [key(wallTimeField, 1), time, key(stepField, 0), varint(step)];
  if (what === "version") return Buffer.concat([...head, ...nested(versionField, Buffer.from("brain.Event:2"))]);
  if (what === "restart") {
    const status = Buffer.concat([key(statusField, 0), varint(statusStart)]);
    return Buffer.concat([...head, ...nested(sessionField, status)]);
  }
  const values = what.flatMap(([tag, value]) => nested(valueField, encodeValue(tag, value)));
  return Buffer.concat([...head, ...nested(summaryField, Buffer.concat(values))]);
}

function encodeValue(tag: string, value: number): Buffer {
  const simple = Buffer.alloc(4);
  simple.writeFloatLE(value);
  return Buffer.concat([...nested(tagField, Buffer.from(tag)), key(simpleValueField, 5), simple]);
}

const key = (field: number, wireType: number): Buffer => varint(field * 8 + wireType);

const nested = (field: number, content: Buffer): Buffer[] => [key(field, 2), varint(content.length), content];

/** Seven bits a byte, the lowest first. For whole numbers from 0 to 2^53. */
function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  bytes.push(rest);
  return Buffer.from(bytes);
}

function checksum(bytes: Uint8Array): Buffer {
  const sum = Buffer.alloc(4);
  sum.writeUInt32LE(maskedCrc32c(bytes));
  return sum;
}
