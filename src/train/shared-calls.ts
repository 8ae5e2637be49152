import type { DecisionRecord, EpisodeRecord } from "../contracts/trace.ts";

/** Stands for an agent that has not spoken. */
const nothing = -1;

/**
 * Calls that the runs of one start really need: they share every call with the same agent, round and exact inbox (what
 * the agent heard, and what it held itself). K runs of N agents need between N and N + K·N·(T−1) calls.
 */
export function countSharedCalls(records: readonly EpisodeRecord[]): number {
  const asked = new Set<number>();
  const numbers = new Map<string, number>();
  for (const record of records) for (const call of listCalls(record, numbers)) asked.add(call);
  return asked.size;
}

/**
 * The calls of an episode, each numbered by its history, so that equal numbers are equal prompts.
 * @param numbers those given so far
 */
function listCalls(record: EpisodeRecord, numbers: Map<string, number>): number[] {
  const calls: number[] = [];
  let held: readonly number[] = [];
  record.rounds.forEach((round, t) => {
    const { edges = [], temporal = [] } = record.decisions.find((decision) => decision.round === t + 1) ?? {};
    const said: number[] = [];
    const numberOf = (i: number): number => {
      if (said[i] !== undefined) return said[i];
      if (round[i] === null) said[i] = held[i] ?? nothing;
      else {
        const heard = sourcesOf(i, edges).map(numberOf);
        // Who had not spoken is not heard through time.
        const earlier = sourcesOf(i, temporal).flatMap((source) => (held[source] === nothing ? [] : [held[source]]));
        const history = `${i} ${t} ${held[i] ?? nothing} ${heard.join(" ")}; ${earlier.join(" ")}`;
        said[i] = numbers.get(history) ?? numbers.size;
        numbers.set(history, said[i]);
        if (!round[i].silent) calls.push(said[i]);
      }
      return said[i];
    };
    for (let i = 0; i < round.length; i++) numberOf(i);
    held = said;
  });
  return calls;
}

const sourcesOf = (agent: number, edges: DecisionRecord["edges"]): number[] =>
  edges.flatMap(([source, target]) => (target === agent ? [source] : []));
