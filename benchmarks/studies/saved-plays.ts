import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { gunzipSync, gzipSync } from "node:zlib";
import type { PlayedMethods, Sweep } from "colloquy";

/*
 * What one split of a study has played, kept so that a study that was stopped does not play it again: a line for the whole,
 * then one for each method and cell.
 */

export interface SavedPlays {
  /** What decides them; plays of another key are not these. */
  readonly key: string;
  readonly sweep: Sweep;
  /** Hash of the split's test questions. */
  readonly test: string;
  /** Credits of honest and adversarial agents over all episodes. */
  readonly credits: PlayedMethods["credits"];
}

export function savePlays(path: string, { key, sweep, test, credits }: SavedPlays): void {
  const { plays, ...totals } = sweep;
  const lines = [{ key, test, credits, ...totals }, ...plays].map((line) => JSON.stringify(line));
  writeFileSync(`${path}.part`, gzipSync(`${lines.join("\n")}\n`));
  renameSync(`${path}.part`, path);
}

/** The saved plays, or `undefined` where there are none of that key. */
export function readPlays(path: string, key: string): SavedPlays | undefined {
  if (!existsSync(path)) return undefined;
  const [head, ...plays] = gunzipSync(readFileSync(path)).toString("utf8").trimEnd().split("\n");
  const { key: found, test, credits = [], ...totals } = JSON.parse(head);
  if (found !== key) return undefined;
  return { key, test, credits, sweep: { ...totals, plays: plays.map((line) => JSON.parse(line)) } };
}
