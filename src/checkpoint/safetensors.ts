import { ColloquyError } from "../base/errors.ts";
import { isRecord } from "../base/json.ts";
import type { Weights } from "../contracts/policy.ts";

/*
 * The safetensors format: eight bytes with the header's length (little-endian), a JSON header
 * { name: { dtype, shape, data_offsets: [begin, end] }, __metadata__: { key: text } }, then the numbers. Files come from
 * strangers: every offset is checked before anything is read. Runs in browsers.
 */

/** What a file holds. All numbers are read as 32-bit floats. */
export interface Safetensors {
  readonly tensors: Weights;
  readonly metadata: Readonly<Record<string, string>>;
}

/** Far above any policy, far below what could hurt. */
const maxHeaderBytes = 4 * 1024 * 1024;

const readers: Readonly<Record<string, { readonly bytes: number; read(view: DataView, offset: number): number }>> = {
  F32: { bytes: 4, read: (view, offset) => view.getFloat32(offset, true) },
  F64: { bytes: 8, read: (view, offset) => view.getFloat64(offset, true) },
  I32: { bytes: 4, read: (view, offset) => view.getInt32(offset, true) },
  I64: { bytes: 8, read: (view, offset) => Number(view.getBigInt64(offset, true)) },
};

/**
 * Reads a file. Only F32 comes back bit for bit; F64, I32 and I64 are rounded to 32-bit floats.
 * @param file its name, for errors
 * @throws ColloquyError `safetensors/header` (truncated, too large, not JSON, duplicate or malformed entries) and
 * `safetensors/tensor` (unknown dtype, wrong length, overlap, hole, number not finite), naming file and tensor
 */
export function readSafetensors(bytes: Uint8Array, file: string): Safetensors {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const { header, start } = readHeader(bytes, view, file);
  const metadata = readMetadata(header["__metadata__"], file);
  const entries = Object.entries(header)
    .filter(([name]) => name !== "__metadata__")
    .map(([name, entry]) => readEntry(name, entry, file));
  checkLayout(entries, bytes.length - start, file);
  const tensors = entries.map(({ name, dtype, shape, begin, end }) => {
    const { bytes: width, read } = readers[dtype];
    const data = new Float32Array((end - begin) / width);
    for (let i = 0; i < data.length; i++) data[i] = read(view, start + begin + i * width);
    checkFinite(name, data, file);
    return [name, { shape, data }];
  });
  return { tensors: Object.fromEntries(tensors), metadata };
}

/**
 * The bytes of a file: tensors as F32 in the given order, equal input giving equal bytes.
 * @throws ColloquyError `safetensors/tensor` when a shape and its data differ or a number is not finite
 */
export function writeSafetensors(tensors: Weights, metadata: Readonly<Record<string, string>> = {}): Uint8Array {
  const header: Record<string, unknown> = Object.create(null);
  if (Object.keys(metadata).length > 0) header["__metadata__"] = metadata;
  let size = 0;
  for (const [name, { shape, data }] of Object.entries(tensors)) {
    if (name === "__metadata__" || sizeOf(shape) !== data.length) {
      throw tensorError(name, "the file to write", `shape [${shape.join(", ")}] does not fit ${data.length} numbers`);
    }
    checkFinite(name, data, "the file to write");
    header[name] = { dtype: "F32", shape, data_offsets: [size, size + 4 * data.length] };
    size += 4 * data.length;
  }
  const json = new TextEncoder().encode(JSON.stringify(header));
  if (json.length > maxHeaderBytes - 8) throw headerError("the file to write", `its header takes ${json.length} bytes`);
  // Spaces up to a multiple of 8, so that readers can map the numbers without copying.
  const start = 8 + Math.ceil(json.length / 8) * 8;
  const bytes = new Uint8Array(start + size).fill(0x20, 8, start);
  const view = new DataView(bytes.buffer);
  view.setBigUint64(0, BigInt(start - 8), true);
  bytes.set(json, 8);
  let offset = start;
  for (const { data } of Object.values(tensors)) {
    for (let i = 0; i < data.length; i++, offset += 4) view.setFloat32(offset, data[i], true);
  }
  return bytes;
}

interface Entry {
  readonly name: string;
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly begin: number;
  readonly end: number;
}

function readHeader(
  bytes: Uint8Array,
  view: DataView,
  file: string,
): { header: Record<string, unknown>; start: number } {
  if (bytes.length < 8) throw headerError(file, `it is ${bytes.length} bytes long: truncated, or not safetensors`);
  const length = view.getBigUint64(0, true);
  if (length > BigInt(maxHeaderBytes))
    throw headerError(file, `its header claims ${length} bytes, above ${maxHeaderBytes}`);
  const start = 8 + Number(length);
  if (start > bytes.length) throw headerError(file, `its header of ${length} bytes is cut off: the file is truncated`);
  let header: unknown;
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(8, start));
    header = JSON.parse(text);
  } catch (cause) {
    throw headerError(file, `its header is not JSON: ${(cause as Error).message}`, cause);
  }
  if (!isRecord(header)) throw headerError(file, "its header is not a JSON object");
  const twice = duplicateName(text);
  if (twice !== undefined) throw headerError(file, `its header names "${twice}" twice`);
  return { header, start };
}

/** JSON.parse keeps the last of two equal names in silence; this walks the top level of valid JSON for them. */
function duplicateName(json: string): string | undefined {
  const seen = new Set<string>();
  let depth = 0;
  for (const [token] of json.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"(?:\s*:)?|[{}[\]]/g)) {
    if (token === "{" || token === "[") depth++;
    else if (token === "}" || token === "]") depth--;
    else if (depth === 1 && token.endsWith(":")) {
      const name = JSON.parse(token.slice(0, -1)) as string;
      if (seen.has(name)) return name;
      seen.add(name);
    }
  }
  return undefined;
}

function readMetadata(value: unknown, file: string): Record<string, string> {
  if (value === undefined) return {};
  if (!isRecord(value)) throw headerError(file, "its __metadata__ is not an object");
  for (const [key, text] of Object.entries(value)) {
    if (typeof text !== "string") throw headerError(file, `its metadata "${key}" is not text`);
  }
  return value as Record<string, string>;
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

function readEntry(name: string, entry: unknown, file: string): Entry {
  if (!isRecord(entry)) throw tensorError(name, file, "its entry is not an object");
  const { dtype, shape, data_offsets: offsets } = entry;
  if (typeof dtype !== "string" || !Object.hasOwn(readers, dtype)) {
    throw tensorError(
      name,
      file,
      `dtype ${JSON.stringify(dtype)} is unknown (known: ${Object.keys(readers).join(", ")})`,
    );
  }
  if (!Array.isArray(shape) || !shape.every(isCount)) {
    throw tensorError(name, file, `shape ${JSON.stringify(shape)} is not a list of sizes`);
  }
  if (!Array.isArray(offsets) || offsets.length !== 2 || !offsets.every(isCount) || offsets[0] > offsets[1]) {
    throw tensorError(name, file, `data_offsets ${JSON.stringify(offsets)} are not [begin, end]`);
  }
  const [begin, end] = offsets as [number, number];
  const expected = sizeOf(shape) * readers[dtype].bytes;
  if (expected !== end - begin) {
    throw tensorError(
      name,
      file,
      `${dtype} [${shape.join(", ")}] takes ${expected} bytes, its offsets span ${end - begin}`,
    );
  }
  return { name, dtype, shape, begin, end };
}

/** Tensors must fill the data exactly: no overlap, no hole, nothing behind. */
function checkLayout(entries: readonly Entry[], size: number, file: string): void {
  let position = 0;
  for (const { name, begin, end } of [...entries].sort((a, b) => a.begin - b.begin || a.end - b.end)) {
    if (begin < position) throw tensorError(name, file, `its data overlaps the tensor before it (byte ${begin})`);
    if (begin > position) throw tensorError(name, file, `there is a hole of ${begin - position} bytes before it`);
    if (end > size) throw tensorError(name, file, `its data ends at byte ${end} of ${size}: the file is truncated`);
    position = end;
  }
  if (position < size) throw headerError(file, `${size - position} bytes behind the last tensor belong to none`);
}

function checkFinite(name: string, data: Float32Array, file: string): void {
  const at = data.findIndex((value) => !Number.isFinite(value));
  if (at >= 0) throw tensorError(name, file, `number ${at} is ${data[at]}`);
}

const sizeOf = (shape: readonly number[]): number => shape.reduce((product, size) => product * size, 1);

const headerError = (file: string, what: string, cause?: unknown): ColloquyError =>
  new ColloquyError("safetensors/header", `${file} cannot be read: ${what}`, { hint: damaged, cause });

const tensorError = (name: string, file: string, what: string): ColloquyError =>
  new ColloquyError("safetensors/tensor", `tensor "${name}" of ${file}: ${what}`, { hint: damaged });

const damaged = "The file is damaged or was not written as weights. Take an earlier checkpoint or a fresh copy.";
