import { z } from "zod";
import type { WorkplaceComparison, WorkplaceRow } from "../../contracts/workplace/results.ts";

/** The version of the results file of a workplace. A reader refuses any other. */
export const WORKPLACE_RESULTS = "colloquy.workplace/1";

const share = z.number().min(0).max(1);
const count = z.int().min(0);
const amount = z.number().min(0);

const cell = {
  tier: z.enum(["simple", "medium", "complex"]),
  workers: count,
  tasks: count,
  decomposition: z.string(),
  adversaries: count,
  attack: z.string(),
  onset: z.string(),
};

const estimate = z.object({ mean: z.number(), low: z.number(), high: z.number() });
const average = z.object({ count, mean: z.number().nullable() });
const byChannel = <T extends z.ZodType>(value: T) => z.object({ chat: value, email: value, meeting: value });
const byRequest = <T extends z.ZodType>(value: T) => ({
  help_request: value,
  need_clarification: value,
  meeting_invite: value,
});

/** One method in one cell: what `WorkplaceRow` says of it, and what of it was played and paid. */
export const workplaceRowSchema = z.object({
  ...cell,
  method: z.string(),
  seeds: z.array(z.int()),
  n: count,
  /** Distinct projects: the unit of every interval and test. */
  projects: count,
  completed: share,
  inBudget: share,
  hours: estimate.nullable(),
  communicationHours: estimate,
  communicationShare: share,
  alignmentFinal: share,
  alignmentMean: share,
  efficiency: z.number().nullable(),
  productivity: z.number(),
  utilisation: share,
  clarity: share,
  subtasks: amount,
  messages: z.object({ ...byRequest(amount), progress_update: amount, reply: amount }),
  channels: byChannel(amount),
  messagesPerHour: amount,
  reassigned: amount,
  meetingsHeld: amount,
  faults: amount,
  malformed: amount,
  gains: z.object(byRequest(average)),
  responses: byChannel(average),
  hub: share,
  /** Means of an episode; `null` where not known. */
  calls: amount,
  tokens: amount.nullable(),
  cost: amount.nullable(),
});

const difference = estimate.extend({
  p: share,
  /** p after Holm's adjustment for all comparisons of this measure. */
  pHolm: share,
});

const none = "no measurable difference";

/** Two methods in one cell, on the same episodes. A difference counts where pHolm is below 5 % and the interval leaves 0 out. */
export const workplaceComparisonSchema = z.object({
  ...cell,
  method: z.string(),
  reference: z.string(),
  pairs: count,
  projects: count,
  hours: difference.extend({ verdict: z.enum(["faster", "slower", none]) }),
  communicationHours: difference.extend({ verdict: z.enum(["less", "more", none]) }),
});

/** What `evaluate` leaves behind of a workplace: `results.json`. */
export const workplaceResultsSchema = z.object({
  schema: z.literal(WORKPLACE_RESULTS),
  /** False when the run stopped before all its episodes were played. */
  complete: z.boolean(),
  planned: count,
  played: count,
  headline: z.array(z.string()),
  /** The command that gives these numbers again. */
  command: z.string(),
  /** Versions, commit. */
  environment: z.record(z.string(), z.unknown()),
  rows: z.array(workplaceRowSchema),
  comparisons: z.array(workplaceComparisonSchema),
});

export type WorkplaceResultRow = Readonly<z.infer<typeof workplaceRowSchema>> & WorkplaceRow;
export type WorkplaceResultComparison = Readonly<z.infer<typeof workplaceComparisonSchema>> & WorkplaceComparison;
export type WorkplaceResults = Readonly<z.infer<typeof workplaceResultsSchema>>;
