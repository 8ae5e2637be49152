import type { LogRow, RunFollower } from "../../contracts/run-log.ts";

/*
 * What the page is sent, as server-sent events:
 *   event: begin   everything before is void
 *   event: row     one row of the logs; its id is the place to go on from after a lost connection
 *   event: status  how the run stands; has no id
 *   event: full    there are too many pages; nothing else comes, and the page asks again
 */

/** How far a client has read. */
export interface Place {
  /** Of the server and the run: another one's places mean nothing. */
  readonly series: string;
  /** Rows read. */
  readonly rows: number;
}

export const beginMessage = ({ series }: Place): string => `event: begin\nid: ${series}:0\ndata: {}\n\n`;

export const rowMessage = (row: LogRow, { series, rows }: Place): string =>
  `event: row\nid: ${series}:${rows}\ndata: ${JSON.stringify([row.step, row.values])}\n\n`;

export const statusMessage = (follower: RunFollower): string =>
  `event: status\ndata: ${JSON.stringify(follower.status())}\n\n`;

export const fullMessage = "retry: 5000\nevent: full\ndata: {}\n\n";

/** The place that a browser sends back as `Last-Event-ID`; `undefined` where it is none of this series. */
export function readPlace(id: string | undefined, series: string, rows: number): Place | undefined {
  const [, found, digits] = /^([\w-]{1,40}):(\d{1,12})$/.exec(id ?? "") ?? [];
  return found === series && Number(digits) <= rows ? { series, rows: Number(digits) } : undefined;
}
