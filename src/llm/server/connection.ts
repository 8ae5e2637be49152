import OpenAI, { APIConnectionError, APIConnectionTimeoutError } from "openai";
import { cancelled, onCancel } from "../../base/cancel.ts";
import { systemClock } from "../../base/clock.ts";
import { ColloquyError } from "../../base/errors.ts";
import { isRecord } from "../../base/json.ts";
import { resolveEndpoint } from "./endpoint.ts";
import { type Asked, describe, ModelFailure, problemOf, type Refusal, toFailure } from "./failures.ts";
import { BodyTooLargeError, connectionCode, createFetch, keepSentHeaders, RefusedError } from "./http-fetch.ts";
import type { ServerProblem } from "./server-problem.ts";

/** How a server is reached. */
export interface ConnectionSettings {
  /** As a person writes it, see `resolveEndpoint`. Default: `https://api.openai.com/v1`. */
  readonly baseURL?: string;
  /** Absent: none is needed, as with most local servers. */
  readonly apiKey?: string;
  /** For a whole request, from connecting to the last byte of the body. Default 120,000. */
  readonly timeoutMs?: number;
  /** The most bytes of a body. Default 16 MiB. */
  readonly longestBody?: number;
}

/** One server; safe to share among any number of calls. */
export interface Connection {
  readonly baseURL: string;
  readonly apiKey: string | undefined;
  /**
   * Sends one request, once, and reads the whole answer.
   * @returns the body, an object that tells of no error
   * @throws ColloquyError `llm/…`
   */
  request(operation: {
    readonly asked: Asked;
    readonly send: (client: OpenAI, options: { signal: AbortSignal }) => { asResponse(): Promise<Response> };
    /** A better error for a refusal, where there is one. */
    readonly explain?: (problem: ServerProblem) => ModelFailure | undefined;
    readonly signal?: AbortSignal;
  }): Promise<Record<string, unknown>>;
}

/** @throws ColloquyError `llm/endpoint` or, for a key that cannot be one, `llm/key` */
export function connect(settings: ConnectionSettings): Connection {
  const baseURL = resolveEndpoint(settings.baseURL);
  const apiKey = settings.apiKey?.trim() || undefined;
  if (apiKey !== undefined && !/^[\x21-\x7e]+$/.test(apiKey))
    throw new ColloquyError("llm/key", "the API key holds a space or a character that no key holds", {
      hint: "Copy it again: OPENAI_API_KEY may have caught a line break, quotes or an ellipsis.",
      endsRun: true,
    });
  const timeoutMs = settings.timeoutMs ?? 120_000;
  const longestBody = settings.longestBody ?? 16 * 2 ** 20;
  const client = openClient({ baseURL, apiKey, timeoutMs, longestBody });

  return {
    baseURL,
    apiKey,
    async request({ asked, send, explain, signal }) {
      if (signal?.aborted) throw cancelled(signal);
      // The package never lets go of the signals it is given, so each call has its own.
      const controller = new AbortController();
      const forget = onCancel(signal, () => controller.abort());
      const refuse = (refusal: Refusal): ModelFailure =>
        explain?.(problemOf(refusal, asked)) ?? toFailure(refusal, asked, systemClock.now());
      try {
        const response = await send(client, { signal: controller.signal }).asResponse();
        const text = await response.text();
        const refusal = { status: response.status, headers: response.headers, body: text };
        const body = parse(text);
        if (body === undefined)
          throw oddAnswer(asked, "with something else than a JSON object", problemOf(refusal, asked).message);
        if (body["error"] != null && body["error"] !== "") throw refuse(refusal);
        return body;
      } catch (error) {
        if (signal?.aborted) throw cancelled(signal);
        const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
        throw cause instanceof RefusedError
          ? refuse(cause.refusal)
          : translate(error, cause, asked, { timeoutMs, longestBody });
      } finally {
        forget();
      }
    },
  };
}

/** An answer of status 200 that is none. Servers do this under load; the next one is usually fine. */
export const oddAnswer = (asked: Asked, how: string, said?: string): ModelFailure =>
  new ModelFailure("llm/server", describe(asked, `answered ${how}`, said), { retryable: true });

/** A client of the package that takes nothing from the environment but extra headers, which are not sent. */
function openClient(settings: {
  readonly baseURL: string;
  readonly apiKey: string | undefined;
  readonly timeoutMs: number;
  readonly longestBody: number;
}): OpenAI {
  const apiKey = settings.apiKey ?? "none";
  const client = new OpenAI({
    baseURL: settings.baseURL,
    apiKey,
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    // Not a plain object: Node loads the class with its first use, 20 ms that are better spent now than by the first call.
    defaultHeaders: new Headers({ Authorization: `Bearer ${apiKey}` }),
    timeout: settings.timeoutMs,
    maxRetries: 0,
    logLevel: "off",
    fetch: createFetch(settings.longestBody),
  });
  buildHeadersOnce(client as unknown as HeaderBuilder);
  return client;
}

/** A method of the package's client that is not public. */
interface HeaderBuilder {
  buildHeaders?: (request: unknown) => Promise<Headers>;
}

/** Headers that are sent are alike for all requests; building them takes the package as long as sending takes us. */
function buildHeadersOnce(client: HeaderBuilder): void {
  const build = client.buildHeaders?.bind(client);
  if (build === undefined) return;
  let built: Promise<Headers> | undefined;
  client.buildHeaders = (request) => {
    built ??= build(request).then(keepSentHeaders);
    return built;
  };
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (isRecord(value)) return value;
    // Gemini's errors come in a list.
    return Array.isArray(value) && isRecord(value[0]) && value[0]["error"] != null ? value[0] : undefined;
  } catch {
    return undefined;
  }
}

/** Nobody answers at that address: asking for something else would not help. */
const isNobody = (code: string): boolean =>
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/.test(code);

function translate(
  error: unknown,
  cause: unknown,
  asked: Asked,
  { timeoutMs, longestBody }: { readonly timeoutMs: number; readonly longestBody: number },
): unknown {
  if (error instanceof ColloquyError) return error;
  if (!(error instanceof APIConnectionError)) return error;
  if (cause instanceof BodyTooLargeError) return oddAnswer(asked, `with more than ${longestBody} bytes`);
  if (error instanceof APIConnectionTimeoutError)
    return new ModelFailure("llm/timeout", describe(asked, `gave no whole answer within ${timeoutMs} ms`), {
      retryable: true,
      hint: "Allow more time (timeoutMs), lower the reply's limit (maxTokens), or ask for less at once.",
    });
  const code = connectionCode(cause) ?? (cause instanceof Error ? cause.message : "");
  return new ModelFailure(
    isNobody(code) ? "llm/unreachable" : "llm/connection",
    describe(asked, "cannot be reached", code),
    {
      retryable: true,
      hint: code === "ECONNRESET" ? "The connection broke off." : "Is the server running, and is the base URL right?",
    },
  );
}
