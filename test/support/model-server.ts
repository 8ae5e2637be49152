import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { shortHash } from "../../src/base/hash.ts";
import { canonicalJson } from "../../src/base/json.ts";
import { createRng } from "../../src/base/rng.ts";
import { type Completion, type Fault, faults as faultsByName } from "./model-faults.ts";

/** A chat request's body. */
export interface ChatBody {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly seed?: number;
  readonly [field: string]: unknown;
}

/** What the server says; a text alone, or with more. */
export type Reply =
  | string
  | {
      readonly text: string;
      readonly finish?: string;
      readonly reasoning?: string;
      readonly usage?: Record<string, unknown>;
    };

/** One request as the server saw it. */
export interface Logged {
  readonly index: number;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: ChatBody;
  readonly atMs: number;
  /** `null` while it is open, and where the connection was closed instead. */
  status: number | null;
  fault?: Fault;
  /** Tokens of a reply that went out, which a hosted server would charge. */
  usage: { readonly prompt: number; readonly completion: number } | null;
}

export interface ModelServerSettings {
  /** Default: made up from a hash of the body, seed included. */
  readonly reply?: (body: ChatBody, index: number) => Reply | Promise<Reply>;
  /** Before each answer. */
  readonly delayMs?: number | ((index: number, body: ChatBody) => number);
  /** What goes wrong with request `index` (0-based, all paths together). */
  readonly faults?: (index: number, body: ChatBody) => Fault | undefined;
  /** The same by name, for a server in a process of its own. */
  readonly faultsAt?: Readonly<Record<number, string>>;
  /** Whoever has another one gets 401. */
  readonly apiKey?: string;
  /** Default 0: a free one. */
  readonly port?: number;
}

export interface ModelServer {
  /** Base URL, with `/v1`. */
  readonly url: string;
  readonly log: readonly Logged[];
  /** The most requests that were open at a time. */
  readonly mostAtOnce: () => number;
  close(): Promise<void>;
}

/** Tokens by a simple rule: four characters each, and three for each message. */
export const countTokens = (text: string): number => Math.ceil(text.length / 4) + 3;

/**
 * A real HTTP server that speaks the OpenAI API: `/v1/chat/completions`, `/v1/embeddings` (32 numbers a text, from its
 * hash), `/v1/models`, and 404 elsewhere. `GET /log` gives the log as JSON.
 */
export async function startModelServer(settings: ModelServerSettings = {}): Promise<ModelServer> {
  const log: Logged[] = [];
  let open = 0;
  let mostAtOnce = 0;

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const text = await readText(request);
    if (request.url === "/log") return send(response, 200, log);
    const entry: Logged = {
      index: log.length,
      path: request.url ?? "",
      headers: request.headers,
      body: text === "" ? {} : JSON.parse(text),
      atMs: performance.now(),
      status: null,
      usage: null,
    };
    log.push(entry);
    const { index, body } = entry;
    const named = settings.faultsAt?.[index];
    const fault = settings.faults?.(index, body) ?? (named === undefined ? undefined : faultsByName[named]);
    entry.fault = fault;
    const { delayMs = 0 } = settings;
    await pass(
      (typeof delayMs === "number" ? delayMs : delayMs(index, body)) + (fault?.kind === "slow" ? fault.ms : 0),
    );
    const finish = (status: number, answer: unknown, headers?: Record<string, string>): void => {
      entry.status = status;
      send(response, status, answer, headers);
    };
    if (settings.apiKey !== undefined && request.headers.authorization !== `Bearer ${settings.apiKey}`)
      return finish(401, { error: { message: `Incorrect API key provided: ${request.headers.authorization}` } });
    if (fault?.kind === "answer") return finish(fault.status, fault.body, fault.headers);
    if (fault?.kind === "reset") return void request.socket.destroy();
    if (fault?.kind === "stall" || fault?.kind === "cut") {
      response.writeHead(200, { "content-type": "application/json", "content-length": 1000 });
      response.write('{"id":');
      if (fault.kind === "cut") setTimeout(() => request.socket.destroy(), 5);
      return;
    }
    if (entry.path === "/v1/models") return finish(200, { object: "list", data: [{ id: "m", object: "model" }] });
    if (entry.path === "/v1/embeddings") return finish(200, embed(body, entry));
    if (entry.path !== "/v1/chat/completions") return finish(404, { error: { message: `no ${entry.path} here` } });
    const completion = complete(body, await (settings.reply ?? makeUp)(body, index), entry);
    finish(200, fault?.kind === "change" ? fault.change(completion) : completion);
  };

  const server = createServer((request, response) => {
    mostAtOnce = Math.max(mostAtOnce, ++open);
    response.on("close", () => open--);
    serve(request, response).catch((error: unknown) => send(response, 500, { error: { message: String(error) } }));
  });
  server.keepAliveTimeout = 30_000;
  await new Promise<void>((resolve) => server.listen(settings.port ?? 0, "127.0.0.1", 4096, resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    log,
    mostAtOnce: () => mostAtOnce,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const pass = (ms: number): Promise<void> | undefined =>
  ms > 0 ? new Promise((resolve) => setTimeout(resolve, ms)) : undefined;

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

function send(response: ServerResponse, status: number, answer: unknown, headers: Record<string, string> = {}): void {
  const isText = typeof answer === "string";
  const body = isText ? answer : JSON.stringify(answer);
  response.writeHead(status, {
    "content-type": isText && body.startsWith("<") ? "text/html" : "application/json",
    "content-length": Buffer.byteLength(body),
    ...headers,
  });
  response.end(body);
}

function complete(body: ChatBody, reply: Reply, entry: Logged): Completion {
  const { text, finish = "stop", reasoning, usage } = typeof reply === "string" ? { text: reply } : reply;
  const prompt = body.messages.reduce((sum, { content }) => sum + countTokens(content), 0);
  const counted = { prompt_tokens: prompt, completion_tokens: countTokens(text + (reasoning ?? "")), ...usage };
  entry.usage = { prompt: Number(counted.prompt_tokens), completion: Number(counted.completion_tokens) };
  return {
    id: `chatcmpl-${entry.index}`,
    object: "chat.completion",
    created: 1_700_000_000,
    model: body.model,
    choices: [
      {
        index: 0,
        message: { role: "assistant", content: text, ...(reasoning !== undefined && { reasoning_content: reasoning }) },
        finish_reason: finish,
      },
    ],
    usage: { total_tokens: counted.prompt_tokens + counted.completion_tokens, ...counted },
  };
}

/** A letter and a few words that follow from the body: equal bodies get equal replies, other seeds others. */
function makeUp(body: ChatBody): Reply {
  const rng = createRng(shortHash(canonicalJson(body), 16));
  return `I compared the options (${rng.integer(1_000_000)}).\nAnswer: (${rng.pick(["A", "B", "C", "D"])})`;
}

function embed(body: ChatBody, entry: Logged): unknown {
  const { input, encoding_format: encoding } = body;
  const texts: unknown[] = Array.isArray(input) ? input : [input];
  if (texts.some((text) => typeof text !== "string" || text === ""))
    return { error: { message: "input may not be empty" } };
  const prompt = texts.reduce<number>((sum, text) => sum + countTokens(String(text)), 0);
  entry.usage = { prompt, completion: 0 };
  const data = texts.map((text, index) => {
    const rng = createRng(shortHash(String(text), 16));
    const values = Float32Array.from({ length: 32 }, () => rng.normal());
    const embedding = encoding === "base64" ? Buffer.from(values.buffer).toString("base64") : [...values];
    return { object: "embedding", index, embedding };
  });
  // Servers that work in parallel answer in any order.
  return {
    object: "list",
    model: body.model,
    data: data.reverse(),
    usage: { prompt_tokens: prompt, total_tokens: prompt },
  };
}
