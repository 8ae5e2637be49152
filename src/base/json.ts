import { ColloquyError } from "./errors.ts";

/** JSON with sorted object keys: equal values give equal bytes, so it can be hashed and compared. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    part !== null && typeof part === "object" && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
      : part,
  );
}

/** Parses JSON from a stranger. `what` names the thing in the error. @throws ColloquyError `json/invalid` */
export function parseJson(text: string, what: string): unknown {
  try {
    return JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
  } catch (cause) {
    throw new ColloquyError("json/invalid", `${what} is not valid JSON: ${(cause as Error).message}`, { cause });
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}
