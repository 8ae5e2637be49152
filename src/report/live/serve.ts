import { createReadStream, statSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { ColloquyError } from "../../base/errors.ts";
import type { RunFollower } from "../../contracts/run-log.ts";
import { type Broadcast, broadcast } from "./broadcast.ts";
import { fullMessage } from "./messages.ts";
import { pageHtml } from "./page-html.ts";

export interface WatchSettings {
  readonly follower: RunFollower;
  /** 0: any that is free. */
  readonly port: number;
  /** The page's script and style sheet, as built. */
  readonly script: string | Uint8Array;
  readonly style: string | Uint8Array;
  /** The run's report, served once it is there. */
  readonly reportPath: string;
  /** Tells this server from others that had its address, in letters and digits. */
  readonly origin: string;
}

export interface WatchServer {
  /** `http://127.0.0.1:PORT/` */
  readonly url: string;
  close(): Promise<void>;
}

const address = "127.0.0.1";

/** The page may load its own script and style, and talk to its own server; nothing else. */
const pagePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/** A report holds its script, and is kept from everything else: this page's address, too. */
const reportPolicy =
  "sandbox allow-scripts allow-modals; default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/**
 * Serves a page that follows a run, to this machine alone.
 * @throws ColloquyError `watch/port` where the port cannot be had
 */
export async function serveWatch(settings: WatchSettings): Promise<WatchServer> {
  const pages = broadcast(settings.follower, settings.origin);
  const server = createServer({ maxHeaderSize: 8192 }, (request, response) => {
    try {
      answer(request, response, portOf(server), settings, pages);
    } catch {
      response.destroy();
    }
  });
  server.maxConnections = 200;
  try {
    await listen(server, settings.port);
  } catch (error) {
    pages.close();
    throw error;
  }
  return {
    url: `http://${address}:${portOf(server)}/`,
    close: () => {
      pages.close();
      const closed = new Promise<void>((done) => server.close(() => done()));
      server.closeAllConnections();
      return closed;
    },
  };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (cause) => {
      reject(
        new ColloquyError("watch/port", `cannot serve on ${address}:${port}: ${cause.message}`, {
          cause,
          hint: "Choose another port with --port, or leave it out for a free one.",
        }),
      );
    });
    server.listen({ host: address, port }, resolve);
  });
}

function portOf(server: Server): number {
  const at = server.address();
  return typeof at === "object" && at !== null ? at.port : 0;
}

function answer(
  request: IncomingMessage,
  response: ServerResponse,
  port: number,
  settings: WatchSettings,
  pages: Broadcast,
): void {
  response.setHeader("X-Content-Type-Options", "nosniff");
  response.setHeader("Referrer-Policy", "no-referrer");
  response.setHeader("Cross-Origin-Resource-Policy", "same-origin");
  response.setHeader("Cross-Origin-Opener-Policy", "same-origin");
  response.setHeader("Cache-Control", "no-store");
  response.setHeader("Content-Security-Policy", pagePolicy);
  const refusal = refusalOf(request, port);
  if (refusal !== undefined) {
    refuse(response, ...refusal);
    return;
  }
  const [path, after] = splitEvents(request.url);
  switch (path) {
    case "/":
      send(response, "text/html; charset=utf-8", pageHtml);
      break;
    case "/watch.js":
      send(response, "text/javascript; charset=utf-8", settings.script);
      break;
    case "/watch.css":
      send(response, "text/css; charset=utf-8", settings.style);
      break;
    case "/events":
      sendEvents(request, response, pages, after);
      break;
    case "/report":
      sendReport(request, response, settings.reportPath);
      break;
    default:
      refuse(response, 404, "There is no such page.");
  }
}

/** A page that was hidden says in the address where it left off: its browser sends that by itself only after a failure. */
function splitEvents(url = ""): [path: string, after?: string] {
  const [, after] = /^\/events\?after=([\w:-]*)$/.exec(url) ?? [];
  return after === undefined ? [url] : ["/events", after];
}

/** Why a request is not looked at. */
function refusalOf(
  { headers, headersDistinct, method }: IncomingMessage,
  port: number,
): [status: number, why: string] | undefined {
  // A name of a stranger that leads here is a stranger's page in the reader's browser.
  const [host = "", ...others] = headersDistinct["host"] ?? [];
  if (others.length > 0 || ![`${address}:${port}`, `localhost:${port}`].includes(host.toLowerCase()))
    return [403, "This address is not served."];
  // A page of another site may lead here by a link, and no further.
  const isOwn = ["same-origin", "none", undefined].includes(headers["sec-fetch-site"] as string | undefined);
  if (!isOwn && headers["sec-fetch-mode"] !== "navigate") return [403, "Other sites are not served."];
  if (method !== "GET" && method !== "HEAD") return [405, "Only GET and HEAD are served."];
  return undefined;
}

function send(response: ServerResponse, type: string, content: string | Uint8Array): void {
  response.writeHead(200, { "Content-Type": type });
  response.end(content);
}

function refuse(response: ServerResponse, status: number, why: string): void {
  if (status === 405) response.setHeader("Allow", "GET, HEAD");
  // What comes with the request is not waited for.
  response.writeHead(status, { "Content-Type": "text/plain; charset=utf-8", Connection: "close" });
  response.end(`${why}\n`);
}

function sendEvents(
  { headers, method }: IncomingMessage,
  response: ServerResponse,
  pages: Broadcast,
  after: string | undefined,
): void {
  response.setHeader("Content-Type", "text/event-stream; charset=utf-8");
  if (method === "HEAD") response.end();
  // A page is told of a refusal by nothing but an event.
  else if (pages.isFull()) response.end(fullMessage);
  else {
    const lastId = headers["last-event-id"] ?? after;
    response.write("retry: 1000\n\n");
    pages.add(response, Array.isArray(lastId) ? undefined : lastId);
  }
}

function sendReport({ method }: IncomingMessage, response: ServerResponse, path: string): void {
  const isThere = statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
  if (!isThere) {
    refuse(response, 404, "This run has no report yet.");
    return;
  }
  response.writeHead(200, { "Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": reportPolicy });
  if (method === "HEAD") {
    response.end();
    return;
  }
  const file = createReadStream(path);
  file.on("error", () => response.destroy());
  response.on("close", () => file.destroy());
  file.pipe(response);
}
