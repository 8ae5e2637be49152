import { ColloquyError } from "../../base/errors.ts";
import { redact } from "./redact.ts";
import { type ReadableHeaders, readRetryAfter } from "./retry-after.ts";
import { longestProblem, readProblem, type ServerProblem } from "./server-problem.ts";

/** A failure of a model server; the table below says which codes there are. No secret is in it. */
export class ModelFailure extends ColloquyError {
  /** How long the server asked to be left alone. */
  readonly retryAfterMs: number | undefined;

  constructor(
    code: string,
    message: string,
    details: { hint?: string; retryable?: boolean; endsRun?: boolean; retryAfterMs?: number } = {},
  ) {
    super(code, message, details);
    this.retryAfterMs = details.retryAfterMs;
  }
}

/** What was asked, for messages. */
export interface Asked {
  /** The URL the request went to. */
  readonly url: string;
  /** Absent where no model was asked for. */
  readonly model?: string;
  readonly apiKey?: string;
}

/** An answer that is no success, or a success that tells of an error. */
export interface Refusal {
  readonly status: number;
  readonly headers: ReadableHeaders;
  readonly body: string;
}

/** One line: which model, where, what it did, what it said. Without secrets. */
export function describe(asked: Asked, did: string, said = ""): string {
  return redact(
    `${asked.model === undefined ? "the server" : `model "${asked.model}"`} at ${asked.url} ${did}${said === "" ? "" : `: ${said}`}`,
    asked.apiKey,
  );
}

type Kind = "key" | "quota" | "not-found" | "redirect" | "rate-limit" | "server" | "request";

/** What each kind means for the run. A server that answers oddly is asked again; one that says no is believed. */
const kinds: Readonly<Record<Kind, { retryable?: true; endsRun?: true; hint?: string }>> = {
  key: {
    endsRun: true,
    hint: "Check the key (OPENAI_API_KEY, or the variable the recipe names) and that it may use this model.",
  },
  quota: { endsRun: true, hint: "The account has no money or quota left: add some, then run the same command again." },
  "not-found": {
    endsRun: true,
    hint: "Check the base URL (OPENAI_BASE_URL; it usually ends in /v1) and the model's name.",
  },
  redirect: {
    endsRun: true,
    hint: "Give the base URL it points to. Redirects are not followed: they could take the key elsewhere.",
  },
  "rate-limit": { retryable: true, hint: "Lower the concurrency or set requests per minute." },
  server: { retryable: true },
  request: {},
};

/** The problem a refusal tells of, without the key. It is cut last: a cut message could end amid the key. */
export function problemOf(refusal: Refusal, asked: Asked): ServerProblem {
  const read = readProblem(refusal.body);
  const problem = { ...read, message: redact(read.message, asked.apiKey).slice(0, longestProblem) };
  return refusal.status >= 300 ? { ...problem, status: refusal.status } : problem;
}

/** The typed error for a refusal. @param nowMs milliseconds since the epoch, for dates in `Retry-After` */
export function toFailure(refusal: Refusal, asked: Asked, nowMs: number): ModelFailure {
  const problem = problemOf(refusal, asked);
  const status = problem.status ?? refusal.status;
  const kind = kindOf(status, problem);
  const { hint, ...consequences } = kinds[kind];
  const location =
    kind === "redirect"
      ? ` → ${(refusal.headers.get("location") ?? "nowhere").replace(/\p{Cc}/gu, "").slice(0, 200)}`
      : "";
  const message = describe(asked, `answered ${refusal.status}${location}`, problem.message);
  return new ModelFailure(`llm/${kind}`, message, {
    ...consequences,
    hint: isTooLong(problem)
      ? "The prompt and the reply's limit exceed the model's context: lower maxTokens or use a model with a longer one."
      : hint,
    ...(consequences.retryable && { retryAfterMs: readRetryAfter(refusal.headers, nowMs, status === 429) }),
  });
}

function kindOf(status: number, problem: ServerProblem): Kind {
  if (status === 401 || status === 403 || says(problem, /^(invalid_api_key|authentication_error)$/)) return "key";
  if (status === 402 || ((status === 429 || status < 300) && isOutOfQuota(problem))) return "quota";
  if (status === 404) return "not-found";
  if (status >= 300 && status < 400) return "redirect";
  if (status === 429 || (status < 300 && says(problem, /^rate_limit(_exceeded|_error)?$/))) return "rate-limit";
  if (status < 300 || status >= 500 || [408, 409, 425].includes(status)) return "server";
  return "request";
}

const says = ({ names }: ServerProblem, pattern: RegExp): boolean => names.some((name) => pattern.test(name));

/** Money spent, as against a limit per minute: Gemini words both alike, but names the latter `RESOURCE_EXHAUSTED`. */
function isOutOfQuota(problem: ServerProblem): boolean {
  if (says(problem, /insufficient_(quota|balance|credits?|funds)|billing/)) return true;
  if (says(problem, /rate_limit|resource_exhausted/)) return false;
  return /insufficient[_ ](quota|balance|credits?|funds)|your current quota|billing (hard )?limit|balance is too low/i.test(
    problem.message,
  );
}

/** The prompt does not fit the model: no parameter is at fault, whatever the message names. */
export const isTooLong = (problem: ServerProblem): boolean =>
  says(problem, /context_length_exceeded/) ||
  /context[_ ](length|window|size)|maximum context|prompt is too long/i.test(problem.message);
