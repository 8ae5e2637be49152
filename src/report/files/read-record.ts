import { z } from "zod";
import type { EpisodeRecord } from "../../contracts/trace.ts";

const name = z.string().max(10_000);
const count = z.int().min(0);
const answer = z.string().max(100_000).nullable();
const finite = z.number();
const edges = z.array(z.tuple([count, count]));

const utterance = z.object({
  answer,
  status: z.enum(["parsed", "unparsed", "ambiguous", "empty", "refused", "truncated"]),
  text: z.string().optional(),
  source: name.optional(),
  tokens: finite.nullable().optional(),
  cost: finite.nullable().optional(),
  finish: z.enum(["length", "filtered", "other"]).optional(),
  silent: z.literal(true).optional(),
});

const recordSchema = z.object({
  environment: name,
  question: name,
  seed: finite,
  sample: count,
  branch: count.optional(),
  attack: z.object({ kind: name, adversaries: count, onset: name }),
  onsets: z.array(count).min(1).max(10_000),
  active: z.array(z.array(count).max(10_000)).optional(),
  target: answer,
  rounds: z.array(z.array(utterance.nullable())),
  decisions: z.array(
    z.object({
      round: count,
      credits: z.array(finite),
      participants: z.array(z.union([z.literal(0), z.literal(1)])),
      edges,
      temporal: edges.optional(),
      levels: count,
      logProbability: finite.optional(),
    }),
  ),
  answer,
  gold: answer,
  right: z.array(z.string()).optional(),
  utility: finite,
  outcome: z.enum(["right", "wrong", "unparsed", "failed"]),
  error: z.string().optional(),
  calls: count,
  tokens: finite.nullable(),
  cost: finite.nullable().optional(),
  policyVersion: count.optional(),
});

/** A record from outside; `undefined` where it is none, or does not fit together. */
export function readRecord(value: unknown): EpisodeRecord | undefined {
  const parsed = recordSchema.safeParse(value);
  return parsed.success && fits(parsed.data) ? parsed.data : undefined;
}

/** One entry an agent everywhere, and no edge to nobody. */
function fits({ onsets, active, rounds, decisions }: EpisodeRecord): boolean {
  const agents = onsets.length;
  return (
    rounds.every((round) => round.length === agents) &&
    (active === undefined || active.length === rounds.length) &&
    decisions.every(
      ({ credits, participants, edges, temporal = [] }) =>
        credits.length === agents &&
        participants.length === agents &&
        [...edges, ...temporal].every(([from, to]) => from < agents && to < agents),
    )
  );
}
