import { request } from "node:http";

/** One server-sent event as it came. */
export interface StreamEvent {
  readonly name: string;
  readonly id: string | undefined;
  readonly data: unknown;
}

/** Reads a stream of events as a browser would, but with nothing of ours or of a browser's in it. */
export function openStream(url: string, lastId?: string, search = "") {
  const events: StreamEvent[] = [];
  let wake = (): void => {};
  let rest = "";
  const asked = request(new URL(`/events${search}`, url), {
    agent: false,
    headers: lastId === undefined ? {} : { "Last-Event-ID": lastId },
  });
  asked.on("error", () => {});
  asked.on("response", (response) => {
    response.setEncoding("utf8").on("data", (text: string) => {
      const parts = (rest + text).split("\n\n");
      rest = parts.pop()!;
      for (const part of parts) {
        const field = (name: string): string | undefined => new RegExp(`^${name}: (.*)$`, "m").exec(part)?.[1];
        const name = field("event");
        if (name !== undefined) events.push({ name, id: field("id"), data: JSON.parse(field("data")!) });
      }
      wake();
    });
    response.on("error", () => {});
  });
  asked.end();
  return {
    events,
    /** Waits until the events so far are as wanted. */
    async until(isEnough: (events: readonly StreamEvent[]) => boolean): Promise<readonly StreamEvent[]> {
      while (!isEnough(events)) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      return events;
    },
    /** Stops taking what is sent. */
    pause: () => asked.socket?.pause(),
    close: () => asked.destroy(),
  };
}

/** Rows among events, since the last beginning. */
export function rowsOf(events: readonly StreamEvent[]): unknown[] {
  const begin = events.findLastIndex(({ name }) => name === "begin");
  return events.slice(begin + 1).flatMap(({ name, data }) => (name === "row" ? [data] : []));
}
