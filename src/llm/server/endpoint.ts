import { ColloquyError } from "../../base/errors.ts";
import { redact } from "./redact.ts";

/** Where requests go unless told otherwise. */
export const defaultEndpoint = "https://api.openai.com/v1";

/** Paths of single operations, which people paste along with the rest. */
const operation = /\/(?:chat\/completions|completions|embeddings|responses|models)$/;

/**
 * The base URL of a server, from whatever a person wrote. The one rule: slashes at the end and doubled ones go, and so
 * does a pasted operation (`…/chat/completions`); what path is left is taken as it is (`/v1`, `/openai/v1`,
 * `/v1beta/openai`), and where none is left it becomes `/v1`. Requests go to `<base URL>/chat/completions`.
 *
 * @param given absent or blank: `https://api.openai.com/v1`
 * @throws ColloquyError `llm/endpoint` on what is no http(s) URL, and on one with a user, password or query: those carry
 * secrets, and a base URL is shown
 */
export function resolveEndpoint(given?: string): string {
  const text = given?.trim() ?? "";
  if (text === "") return defaultEndpoint;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.hostname === "") {
    const shown = redact(text.replace(/[^/]*@/, "…@").replace(/\?.*$/s, "?…")).slice(0, 200);
    const bare = /^[\w.-]+(?::\d+)?(?:\/\S*)?$/.test(text) && !shown.includes("…");
    throw new ColloquyError("llm/endpoint", `the base URL "${shown}" is not an http or https URL`, {
      hint: bare
        ? `Write it whole: http://${text}`
        : "Write it like https://api.openai.com/v1 or http://localhost:11434",
    });
  }
  if (url.username !== "" || url.password !== "")
    throw new ColloquyError("llm/endpoint", `the base URL of ${url.host} holds a user name or password`, {
      hint: "Leave it out, and give the key as OPENAI_API_KEY.",
    });
  if (url.search !== "" || url.hash !== "")
    throw new ColloquyError("llm/endpoint", `the base URL of ${url.host} ends in a query or fragment`, {
      hint: `End it with the path: ${url.origin}${url.pathname}`,
    });
  const path = url.pathname
    .replace(/\/{2,}/g, "/")
    .replace(/\/$/, "")
    .replace(operation, "");
  return url.origin + (path === "" ? "/v1" : path);
}
