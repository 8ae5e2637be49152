import { findFences } from "./fences.ts";

const fieldNames = "final_answer finalanswer final answer ans choice option solution result code program".split(" ");

/**
 * The `answer` field (or one of its usual other names) of a reply that is a JSON object, bare, fenced or with words
 * around it; numbers as they were written, a list as one text joined by commas. `undefined` when the reply has no such
 * field, `null` when the field is there and empty.
 */
export function readField(text: string): string | null | undefined {
  if (!text.includes("{")) return undefined;
  for (const json of candidates(text)) {
    const fields = parseObject(json);
    const name = fieldNames.find((one) => fields?.has(one));
    if (name !== undefined) return toText(fields!.get(name));
  }
  return undefined;
}

function candidates(text: string): string[] {
  const lines = text.split("\n");
  const fenced = findFences(lines).map((block) => block.lines.join("\n"));
  const around = text.slice(Math.max(0, text.indexOf("{")), text.lastIndexOf("}") + 1);
  return [...fenced.reverse(), lines.findLast((line) => line.trim() !== "") ?? "", around];
}

function parseObject(text: string): Map<string, unknown> | undefined {
  if (!/^\s*\{/.test(text)) return undefined;
  try {
    // Numbers become texts: a number of JavaScript would round a long one.
    const quoted = text.replace(/"(?:[^"\\]|\\[\s\S]?)*"?|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g, (token) =>
      token.startsWith('"') ? token : `"${token}"`,
    );
    const value: unknown = JSON.parse(quoted);
    if (typeof value !== "object" || value === null) return undefined;
    return new Map(Object.entries(value).map(([name, field]) => [name.toLowerCase().replace(/[\s-]/g, "_"), field]));
  } catch {
    return undefined;
  }
}

function toText(value: unknown): string | null {
  if (typeof value === "string") return value.trim() === "" ? null : value;
  if (Array.isArray(value) && value.every((item) => typeof item === "string")) return toText(value.join(", "));
  if (typeof value === "boolean") return String(value);
  return null;
}
