import { isRecord } from "../../base/json.ts";

/** What a server said went wrong, in whichever of the dialects it speaks. Untrusted text. */
export interface ServerProblem {
  /** One line; may be empty. */
  readonly message: string;
  /** Its words for the kind of problem (`code`, `type`, `status`), in lower case. */
  readonly names: readonly string[];
  /** The status, also where only the body gives it: answers of status 200 may tell of an error. */
  readonly status?: number;
  /** The field of the request it complains about. */
  readonly param?: string;
}

/**
 * Reads the body of a refusal: OpenAI's `{error: {message, type, param, code}}`, the same without its envelope (vLLM),
 * in a list (Gemini), `{error: "text"}` (Ollama), `{detail: …}` (FastAPI, Mistral), and anything else as text.
 */
export function readProblem(body: string): ServerProblem {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    // Of a page the beginning says enough.
    return { message: asLine(body.slice(0, 5000).replace(/<(style|script)\b.*?<\/\1>|<[^>]*>/gis, " ")), names: [] };
  }
  return readProblemValue(value);
}

/** The same, of a body that is parsed already. */
export function readProblemValue(body: unknown): ServerProblem {
  const outer = Array.isArray(body) ? body[0] : body;
  const error = isRecord(outer) && outer["error"] != null ? outer["error"] : outer;
  if (!isRecord(error)) return { message: asLine(typeof error === "string" ? error : ""), names: [] };
  // Mistral puts FastAPI's details into the message.
  const details = isRecord(error["message"]) ? error["message"]["detail"] : error["detail"];
  const detail = Array.isArray(details) && isRecord(details[0]) ? details[0] : undefined;
  const field = Array.isArray(detail?.["loc"]) ? detail["loc"].at(-1) : error["param"];
  const said = detail?.["msg"] ?? (isRecord(error["message"]) ? details : (error["message"] ?? details));
  const { code, type, status } = error;
  const names = [code, type, status, detail?.["type"]].filter((name) => typeof name === "string");
  return {
    message: typeof said === "string" ? asLine(said) : asLine(write(error)),
    names: names.map((name) => name.toLowerCase()),
    status: [code, status].map(Number).find((number) => number >= 400 && number <= 599),
    ...(typeof field === "string" && { param: field }),
  };
}

/** Nested too deeply, a value cannot be written. */
function write(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    return "";
  }
}

/** On one line, without what terminals take for commands. */
const asLine = (text: string): string =>
  text
    .slice(0, 20_000)
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();

/** The most characters of a message. */
export const longestProblem = 500;
