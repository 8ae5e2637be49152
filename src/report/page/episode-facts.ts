import { sigmoid } from "../../base/sigmoid.ts";
import { attacksIn, type DecisionRecord, type EpisodeRecord, type UtteranceRecord } from "../../contracts/trace.ts";

/* What the drawings and the panel ask of a record. Rounds count from 1, agents from 0, as in records. */

/** N. */
export const teamSize = (record: EpisodeRecord): number => record.onsets.length;

/** The decision that a round was played by; none for round 1, which everyone answers alone. */
export const decisionOf = (record: EpisodeRecord, round: number): DecisionRecord | undefined =>
  record.decisions.find((decision) => decision.round === round);

/** σ(c) of every agent in a round or in the vote; `null` where nobody had decided yet. */
export function weightsOfCredits(record: EpisodeRecord, round: number): number[] | null {
  return decisionOf(record, round)?.credits.map(sigmoid) ?? null;
}

/** What an agent says or still holds in a round, and the round it said it in. */
export interface Output {
  readonly utterance: UtteranceRecord;
  readonly round: number;
}

/** The last thing an agent said up to a round; `null` where it has said nothing yet. */
export function lastOutput(record: EpisodeRecord, agent: number, round: number): Output | null {
  for (let t = Math.min(round, record.rounds.length); t >= 1; t--) {
    const utterance = record.rounds[t - 1][agent];
    if (utterance) return { utterance, round: t };
  }
  return null;
}

export const answerAt = (record: EpisodeRecord, agent: number, round: number): string | null =>
  lastOutput(record, agent, round)?.utterance.answer ?? null;

/** Whether an agent begins to attack in a round, for the first time or again. */
export const turnsIn = (record: EpisodeRecord, agent: number, round: number): boolean =>
  attacksIn(record, agent, round) && !(round > 1 && attacksIn(record, agent, round - 1));

/** Level of every agent in a round: 0 for who does not take part, else 1 + the highest level among those it hears. */
export function levelsOf(record: EpisodeRecord, round: number): number[] {
  const agents = teamSize(record);
  const decision = decisionOf(record, round);
  if (decision === undefined) return Array.from({ length: agents }, (_, i) => (record.rounds[round - 1]?.[i] ? 1 : 0));
  const levels = decision.participants.map((z) => (z > 0 ? 1 : 0)) as number[];
  const children: number[][] = Array.from({ length: agents }, () => []);
  const waiting = new Array<number>(agents).fill(0);
  for (const [source, target] of decision.edges) {
    children[source].push(target);
    waiting[target]++;
  }
  const ready = waiting.flatMap((count, agent) => (count === 0 ? [agent] : []));
  for (let agent = ready.pop(); agent !== undefined; agent = ready.pop()) {
    for (const child of children[agent]) {
      levels[child] = Math.max(levels[child], levels[agent] + 1);
      if (--waiting[child] === 0) ready.push(child);
    }
  }
  return levels;
}

/** Whom an agent heard in a round and who heard it; `earlier`: by what was said before the round. */
export interface Hearing {
  readonly heard: readonly number[];
  readonly heardBy: readonly number[];
  readonly heardEarlier: readonly number[];
  readonly heardByLater: readonly number[];
}

export function hearingOf(record: EpisodeRecord, agent: number, round: number): Hearing {
  const { edges = [], temporal = [] } = decisionOf(record, round) ?? {};
  const sources = (list: typeof edges): number[] => list.flatMap(([from, to]) => (to === agent ? [from] : []));
  const targets = (list: typeof edges): number[] => list.flatMap(([from, to]) => (from === agent ? [to] : []));
  return {
    heard: sources(edges),
    heardBy: targets(edges),
    heardEarlier: sources(temporal),
    heardByLater: targets(temporal),
  };
}
