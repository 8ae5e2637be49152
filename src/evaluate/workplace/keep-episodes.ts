import { cutText } from "../../base/cut-text.ts";
import { isRecord } from "../../base/json.ts";
import type { Guidance } from "../../contracts/workplace/message.ts";
import type { WorkplaceEvent, WorkplaceRecord } from "../../contracts/workplace/record.ts";
import { describeCell } from "./cells.ts";
import { type KeptEpisode, readKeptRecord } from "./record-schema.ts";
import type { WorkplaceEpisode } from "./sweep.ts";

/**
 * The version of `episodes-judged.jsonl` of a workplace. Its first line is `{ schema, recipe }`, each further one a
 * `KeptEpisode`.
 */
export const WORKPLACE_JUDGED = "colloquy.workplace-judged/1";

/** Chooses episodes before they are played, since only some are to keep their events. */
export interface WorkplaceKeeper {
  /** Whether an episode is to be kept: the first ones of every method in every cell. Ask once for each, in their order. */
  claim(episode: WorkplaceEpisode): boolean;
  /** Takes the record of an episode that was claimed; others are left. */
  add(record: WorkplaceRecord, episode: WorkplaceEpisode, subtasks: () => readonly string[]): void;
  /** The content of `episodes-judged.jsonl`. @param recipe they were played under; plain JSON */
  lines(recipe: unknown): string;
}

/** Bytes of the file, at most. */
const mostBytes = 15e6;
const longestText = 4000;

/** @param perCell episodes of a method in a cell: the same starts for all methods */
export function keepWorkplaceEpisodes(perCell = 1): WorkplaceKeeper {
  const claims = new Map<string, number>();
  const claimed = new Set<string>();
  const lines: string[] = [];
  let bytes = 0;
  return {
    claim(episode) {
      const key = `${episode.method} ${describeCell(episode.cell)}`;
      const before = claims.get(key) ?? 0;
      if (before >= perCell) return false;
      claims.set(key, before + 1);
      claimed.add(nameOf(episode));
      return true;
    },
    add(record, episode, subtasks) {
      if (!claimed.has(nameOf(episode))) return;
      const members = episode.start.question.members.map(({ name }) => name);
      const kept: KeptEpisode = { method: episode.method, members, subtasks: subtasks(), record: cutTexts(record) };
      const line = `${JSON.stringify(kept)}\n`;
      bytes += Buffer.byteLength(line);
      if (bytes <= mostBytes) lines.push(line);
    },
    lines: (recipe) => `${JSON.stringify({ schema: WORKPLACE_JUDGED, recipe })}\n${lines.join("")}`,
  };
}

/** Tells an episode from all others of an evaluation. */
export const nameOf = ({ method, cell, start }: WorkplaceEpisode): string =>
  [method, start.question.id, cell.decomposition, cell.attack, cell.adversaries, cell.onset, start.seed, start.sample]
    .join("_")
    .replace(/[^\w.-]/g, "-");

const cutTexts = (record: WorkplaceRecord): WorkplaceRecord =>
  record.events === undefined ? record : { ...record, events: record.events.map(cutEvent) };

function cutEvent(event: WorkplaceEvent): WorkplaceEvent {
  if (event.kind === "contribute") return { ...event, guidance: cutGuidance(event.guidance) };
  if (event.kind !== "send") return event;
  const { text, guidance } = event;
  return {
    ...event,
    ...(text === undefined ? {} : { text: cutText(text, longestText) }),
    ...(guidance === undefined ? {} : { guidance: cutGuidance(guidance) }),
  };
}

const cutGuidance = (guidance: Guidance): Guidance =>
  guidance.text === undefined ? guidance : { ...guidance, text: cutText(guidance.text, longestText) };

/** Reads the lines of an `episodes-judged.jsonl` from outside. @returns the episodes, and how many lines were none */
export function parseKeptEpisodes(lines: readonly unknown[]): {
  readonly episodes: readonly KeptEpisode[];
  readonly skipped: number;
} {
  const kept = lines.filter((line) => !(isRecord(line) && line["schema"] === WORKPLACE_JUDGED));
  const episodes = kept.flatMap((line) => readKeptRecord(line) ?? []);
  return { episodes, skipped: kept.length - episodes.length };
}
