import { z } from "zod";
import type { WorkplaceEvent, WorkplaceRecord } from "../../contracts/workplace/record.ts";

/*
 * Records and events of a workplace as they come back from files.
 */

const step = z.int().min(0).max(1000);
const agent = z.int().min(0).max(10_000);
const subtask = z.int().min(0).max(100_000);
const number = z.int().min(0);
const reason = z.string();
const channel = z.enum(["chat", "email", "meeting"]);
const request = z.enum(["help_request", "need_clarification", "meeting_invite"]);
const guidance = z.object({
  covers: z.array(z.string()),
  clarity: z.number(),
  words: z.number(),
  text: z.string().optional(),
  effect: z.number().optional(),
});

export const eventSchema = z.discriminatedUnion("kind", [
  z.object({ step, kind: z.literal("assign"), agent, about: subtask, reason }),
  z.object({
    step,
    kind: z.literal("decide"),
    focused: z.array(agent),
    edges: z.array(z.tuple([agent, agent])),
  }),
  z.object({ step, kind: z.literal("work"), agent, about: subtask, done: z.number(), reason }),
  z.object({ step, kind: z.literal("wait"), agent, reason }),
  z.object({
    step,
    kind: z.literal("send"),
    agent,
    message: number,
    type: z.enum([...request.options, "progress_update", "reply"]),
    channel,
    to: z.array(agent),
    about: subtask,
    topics: z.array(z.string()),
    words: z.number(),
    minutes: z.number(),
    text: z.string().optional(),
    answers: number.optional(),
    guidance: guidance.optional(),
    reason,
  }),
  z.object({ step, kind: z.literal("contribute"), agent, about: subtask, guidance }),
  z.object({ step, kind: z.literal("judge"), about: subtask, delta: z.number() }),
  z.object({
    step,
    kind: z.literal("learn"),
    agent,
    about: subtask,
    from: agent,
    type: request,
    channel,
    before: z.number(),
    after: z.number(),
  }),
  z.object({
    step,
    kind: z.literal("meeting"),
    meeting: number,
    what: z.enum(["accepted", "started", "ended", "cancelled"]),
    members: z.array(agent),
    reason: z.string().optional(),
  }),
  z.object({ step, kind: z.literal("done"), agent, about: subtask }),
  z.object({ step, kind: z.literal("fault"), agent, reason }),
  z.object({ step, kind: z.literal("end"), outcome: z.string() }),
]) satisfies z.ZodType<WorkplaceEvent>;

const stepsN = z.array(z.number());
const tally = z.object({ count: z.number(), sum: z.number() });
const attack = z.object({ kind: z.string(), adversaries: number, onset: z.string() });

const recordSchema = z.object({
  environment: z.string(),
  question: z.string(),
  seed: z.int(),
  sample: z.int(),
  branch: z.int().optional(),
  attack,
  onsets: z.array(z.int()),
  decisions: z.array(
    z.object({
      round: z.int(),
      credits: z.array(z.number()),
      participants: z.array(z.number()),
      trust: z.array(z.number()).optional(),
      edges: z.array(z.tuple([agent, agent])),
      levels: z.number(),
      logProbability: z.number().optional(),
    }),
  ),
  utility: z.number(),
  outcome: z.enum(["finished", "unfinished", "failed"]),
  error: z.string().optional(),
  calls: z.number(),
  tokens: z.number().nullable(),
  cost: z.number().nullable().optional(),
  tier: z.enum(["simple", "medium", "complex"]),
  workers: z.int().min(1).max(10_000),
  steps: z.int(),
  doneAt: z.array(z.number().nullable()),
  progress: z.array(z.number()).optional(),
  effort: z.number(),
  communicationMinutes: z.number(),
  occupancy: z.object({ work: stepsN, communicate: stepsN, reply: stepsN, meeting: stepsN, wait: stepsN }),
  alignment: z.object({ final: z.number(), mean: z.number() }),
  sent: z.object({
    help_request: number,
    need_clarification: number,
    meeting_invite: number,
    progress_update: number,
    reply: number,
  }),
  channels: z.object({ chat: number, email: number, meeting: number }),
  gains: z.object({ help_request: tally, need_clarification: tally, meeting_invite: tally }),
  responses: z.object({ chat: tally, email: tally, meeting: tally }),
  pairs: z.array(z.tuple([agent, agent, number])),
  subtasks: z.object({ count: number, clarity: z.number(), reassigned: number }),
  meetings: z.object({ held: number, cancelled: number }),
  faults: number,
  malformed: number,
  events: z.array(eventSchema).max(100_000).optional(),
}) satisfies z.ZodType<WorkplaceRecord>;

/** An episode with its events, and what a reader needs beside it. */
export interface KeptEpisode {
  readonly method: string;
  /** Names of the project's members, the manager first. */
  readonly members: readonly string[];
  /** Titles of the plan's subtasks. */
  readonly subtasks: readonly string[];
  readonly record: WorkplaceRecord;
}

const keptSchema = z.object({
  method: z.string().max(1000),
  members: z.array(z.string()).max(10_001),
  subtasks: z.array(z.string()).max(100_000),
  record: recordSchema,
}) satisfies z.ZodType<KeptEpisode>;

/** An episode that an evaluation kept, or `undefined` for anything else. */
export const readKeptRecord = (value: unknown): KeptEpisode | undefined => keptSchema.safeParse(value).data;
