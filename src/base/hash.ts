import { createHash } from "node:crypto";

/** SHA-256 of a text, as lower-case hexadecimal. Used for identity, never for secrecy. */
export function sha256(text: string | Uint8Array): string {
  return createHash("sha256").update(text).digest("hex");
}

/** The first `length` characters of a SHA-256: short names for files and runs. */
export function shortHash(text: string, length = 8): string {
  return sha256(text).slice(0, length);
}
