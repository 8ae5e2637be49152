import type { ServerResponse } from "node:http";
import type { RunFollower } from "../../contracts/run-log.ts";
import { beginMessage, type Place, readPlace, rowMessage, statusMessage } from "./messages.ts";

/** Sends a run to every open page, each from its own place. */
export interface Broadcast {
  /** Whether no further page can be taken on. */
  isFull(): boolean;
  /** Takes a page on, from the place after its last message. */
  add(response: ServerResponse, lastId: string | undefined): void;
  close(): void;
}

interface Client {
  readonly response: ServerResponse;
  place: Place | undefined;
  /** What was written waits to be read. */
  isFull: boolean;
}

const maxClients = 50;
/** Milliseconds between looks at the folder, and between signs of life. */
const lookEveryMs = 300;
const beatEveryMs = 10_000;
/** Characters of one write. */
const pieceLength = 64 * 1024;

/**
 * @param origin tells this server from others that had its address, in letters and digits
 */
export function broadcast(follower: RunFollower, origin: string): Broadcast {
  const clients = new Set<Client>();
  const series = (): string => `${origin}-${follower.epoch()}`;
  follower.look();

  /** Brings a page up to now, in pieces, as fast as it reads. */
  const feed = (client: Client): void => {
    const rows = follower.rows();
    while (!client.isFull) {
      let piece = "";
      if (client.place?.series !== series()) {
        client.place = { series: series(), rows: 0 };
        piece = beginMessage(client.place);
      }
      let read: number = client.place.rows;
      while (read < rows.length && piece.length < pieceLength) {
        piece += rowMessage(rows[read], { series: client.place.series, rows: ++read });
      }
      client.place = { series: client.place.series, rows: read };
      if (piece === "") return;
      send(client, piece);
    }
  };
  const send = (client: Client, text: string): void => {
    if (client.response.write(text)) return;
    client.isFull = true;
    client.response.once("drain", () => {
      client.isFull = false;
      feed(client);
      if (!client.isFull) send(client, statusMessage(follower));
    });
  };
  const sendStatus = (client: Client): void => {
    // A page that does not read hears of it when it reads again.
    if (!client.isFull) send(client, statusMessage(follower));
  };

  const looking = setInterval(() => {
    if (!follower.look()) return;
    for (const client of clients) {
      feed(client);
      sendStatus(client);
    }
  }, lookEveryMs);
  const beating = setInterval(() => {
    for (const client of clients) sendStatus(client);
  }, beatEveryMs);

  return {
    isFull: () => clients.size >= maxClients,
    add(response, lastId) {
      const place = readPlace(lastId, series(), follower.rows().length);
      const client: Client = { response, place, isFull: false };
      clients.add(client);
      response.once("close", () => clients.delete(client));
      feed(client);
      sendStatus(client);
    },
    close() {
      clearInterval(looking);
      clearInterval(beating);
      for (const { response } of clients) response.end();
      clients.clear();
    },
  };
}
