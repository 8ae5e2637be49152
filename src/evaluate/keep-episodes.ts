import { cutText } from "../base/cut-text.ts";
import type { EpisodeRecord } from "../contracts/trace.ts";
import { type Cell, describeCell } from "./starts.ts";

/** The version of `episodes-judged.jsonl`. Its first line is `{ schema, recipe }`, each further one `{ method, record }`. */
export const JUDGED_SCHEMA = "colloquy.judged/1";

export interface KeepSettings {
  readonly methods: number;
  readonly cells: number;
  /** Episodes of a method in a cell, at most; fewer where there are many methods and cells. Default 6. */
  readonly perCell?: number;
  /** Bytes of the file, at most. Default ten million. */
  readonly mostBytes?: number;
}

/** Takes the records of a sweep as they come and keeps some. */
export interface EpisodeKeeper {
  add(record: EpisodeRecord, method: string, cell: Cell): void;
  /** The content of `episodes-judged.jsonl`. @param recipe they were played under; plain JSON */
  lines(recipe: unknown): string;
}

/** All methods and cells together. */
const mostEpisodes = 1260;
const longestText = 4000;

/**
 * Keeps the first episodes of every method in every cell: the same starts for all, so that methods can be compared on one
 * episode, and a cell with the one without attack. Where they grow too large the later starts go, again for all.
 */
export function keepEpisodes({ methods, cells, perCell = 6, mostBytes = 10e6 }: KeepSettings): EpisodeKeeper {
  let starts = Math.max(1, Math.min(perCell, Math.floor(mostEpisodes / Math.max(1, methods * cells))));
  let kept: { readonly start: number; readonly line: string; readonly bytes: number }[] = [];
  let bytes = 0;
  const met = new Map<string, number>();
  return {
    add(record, method, cell) {
      const key = JSON.stringify([method, describeCell(cell)]);
      const start = met.get(key) ?? 0;
      if (start >= starts) return;
      met.set(key, start + 1);
      const line = `${JSON.stringify({ method, record: cutRecord(record) })}\n`;
      const size = Buffer.byteLength(line);
      kept.push({ start, line, bytes: size });
      bytes += size;
      while (bytes > mostBytes && starts > 1) {
        starts--;
        kept = kept.filter((one) => one.start < starts);
        bytes = kept.reduce((total, one) => total + one.bytes, 0);
      }
      // Not even one of each has room.
      if (bytes > mostBytes) bytes -= kept.pop()!.bytes;
    },
    lines: (recipe) => `${JSON.stringify({ schema: JUDGED_SCHEMA, recipe })}\n${kept.map(({ line }) => line).join("")}`,
  };
}

const cutRecord = (record: EpisodeRecord): EpisodeRecord => ({
  ...record,
  rounds: record.rounds.map((round) =>
    round.map((said) => (said?.text === undefined ? said : { ...said, text: cutText(said.text, longestText) })),
  ),
});
