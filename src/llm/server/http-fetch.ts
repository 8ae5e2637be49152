import {
  type ClientRequest,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
  type RequestOptions,
} from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { urlToHttpOptions } from "node:url";
import { isRecord } from "../../base/json.ts";
import type { Refusal } from "./failures.ts";
import type { ReadableHeaders } from "./retry-after.ts";

/** An answer without success. Held apart from errors that people see: its body may repeat the key. */
export class RefusedError extends Error {
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    // The client package reads meaning into messages: this one has none.
    super("refused");
    this.refusal = refusal;
  }
}

/** A body above the cap; the rest is not read. */
export class BodyTooLargeError extends Error {}

/** Headers that are sent. The client package adds others, some of them from the environment. */
const sent = ["accept", "authorization", "content-type", "user-agent"];

export const keepSentHeaders = (headers: Headers): Headers =>
  new Headers([...headers].filter(([name]) => sent.includes(name)));

/**
 * A `fetch` for the client package that holds whoever it asks to the rules here: it is done only when the whole body has
 * arrived, so that a timeout covers it; it reads no more than `longestBody` bytes, follows no redirect, and keeps as many
 * connections as there are calls. At 64 lanes it takes less than half the processor time a call of Node's own.
 *
 * @returns a function whose answers are what the package reads of a `Response`; it throws RefusedError unless the status
 * is 200..299
 */
export function createFetch(longestBody: number): typeof fetch {
  // Servers close idle connections after five seconds or later; one that is closed just as it is used again fails the call.
  const kept = { keepAlive: true, timeout: 4000, maxFreeSockets: 4096 };
  const agents = { http: new HttpAgent(kept), https: new HttpsAgent(kept) };

  const targets = new Map<string, RequestOptions>();
  const targetOf = (url: string): RequestOptions => {
    const target = targets.get(url) ?? urlToHttpOptions(new URL(url));
    targets.set(url, target);
    return target;
  };

  return (input, init) =>
    new Promise((resolve, reject) => {
      const url = String(input);
      const given = init?.headers as Headers;
      // As a text it goes out in one piece with the headers.
      const body = (init?.body as string | undefined) ?? "";
      const headers: Record<string, string | number> = {
        "accept-encoding": "identity",
        "content-length": Buffer.byteLength(body),
      };
      for (const name of sent) {
        const value = given.get(name);
        if (value !== null) headers[name] = value;
      }
      const secure = url.startsWith("https:");
      const options = { ...targetOf(url), method: init?.method, headers, agent: secure ? agents.https : agents.http };
      const request: ClientRequest = (secure ? httpsRequest : httpRequest)(options);
      const { signal } = init ?? {};
      const abort = (): void => {
        request.destroy();
        reject(new DOMException("aborted", "AbortError"));
      };
      const fail = (error: unknown): void => {
        signal?.removeEventListener("abort", abort);
        request.destroy();
        reject(error);
      };
      signal?.addEventListener("abort", abort, { once: true });
      request.on("error", fail);
      request.on("response", (response) => {
        readBody(response, longestBody).then((text) => {
          signal?.removeEventListener("abort", abort);
          const { statusCode: status = 0 } = response;
          const answer = { status, headers: new Map(Object.entries(response.headers)) as ReadableHeaders, body: text };
          if (status < 200 || status >= 300) reject(new RefusedError(answer));
          else resolve({ ...answer, ok: true, url, text: async () => text } as unknown as Response);
        }, fail);
      });
      request.end(body);
    });
}

function readBody(response: IncomingMessage, longest: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    response.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > longest) reject(new BodyTooLargeError());
      else chunks.push(chunk);
    });
    response.on("end", () => resolve(Buffer.concat(chunks).toString("utf8")));
    response.on("error", reject);
  });
}

/** The system's word for why a connection failed (`ECONNREFUSED`, `ENOTFOUND`, …), wherever it stands. */
export function connectionCode(error: unknown): string | undefined {
  if (!isRecord(error)) return undefined;
  const { code, cause, errors } = error;
  if (typeof code === "string") return code;
  return connectionCode(cause) ?? (Array.isArray(errors) ? connectionCode(errors[0]) : undefined);
}
