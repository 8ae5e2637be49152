import { shortHash } from "../base/hash.ts";
import type { EpisodeRecord } from "../contracts/trace.ts";

/**
 * Calls that the runs of one start really need: they share every call with the same agent, round and exact inbox (what
 * the agent heard, and what it held itself). K runs of N agents need between N and N + K·N·(T−1) calls.
 */
export function countSharedCalls(records: readonly EpisodeRecord[]): number {
  const asked = new Set<string>();
  for (const record of records) for (const name of callNames(record)) asked.add(name);
  return asked.size;
}

/** Names each call of an episode by its history, so that equal names are equal prompts. */
function callNames(record: EpisodeRecord): string[] {
  const calls: string[] = [];
  let held: readonly string[] = [];
  record.rounds.forEach((round, t) => {
    const edges = record.decisions.find((decision) => decision.round === t + 1)?.edges ?? [];
    const names: string[] = [];
    const nameOf = (i: number): string => {
      if (names[i] !== undefined) return names[i];
      if (round[i] === null) names[i] = held[i] ?? "";
      else {
        const heard = edges.filter(([, target]) => target === i).map(([source]) => nameOf(source));
        names[i] = shortHash(`${i} ${t} ${held[i] ?? ""} ${heard.join(" ")}`, 16);
        if (!round[i].silent) calls.push(names[i]);
      }
      return names[i];
    };
    for (let i = 0; i < round.length; i++) nameOf(i);
    held = names;
  });
  return calls;
}
