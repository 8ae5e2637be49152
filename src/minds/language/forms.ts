import { z } from "zod";
import { cleanLine } from "../../base/quote-text.ts";
import type { ChatRequest } from "../../contracts/language-model.ts";

/** What a decision may be; `progress_report` is the paper's other name of `progress_update`. */
export const actions = [
  "work",
  "wait",
  "help_request",
  "need_clarification",
  "meeting_invite",
  "progress_update",
  "progress_report",
  "reply",
] as const;

/** A decision as a model writes it. What an action does not use may be left out or `null`. */
export const decision = z.object({
  reason: z.string().nullish(),
  action: z.enum(actions),
  subtask: z.int().nullish(),
  to: z.array(z.int()).max(64).nullish(),
  channel: z.enum(["chat", "email", "meeting"]).nullish(),
  topics: z.array(z.string().max(300)).max(64).nullish(),
  message: z.int().nullish(),
  text: z.string().nullish(),
});

/** What somebody says in a meeting. */
export const contribution = z.object({ text: z.string().refine((text) => text.trim() !== "", "it is empty") });

/** Δ as a share of understanding; what is far outside its range was meant in another unit. */
export const judgement = z.object({ reason: z.string().nullish(), delta: z.number().min(-1).max(1) });

type Form = NonNullable<ChatRequest["schema"]>;

/** A JSON schema as servers hold replies to one: every field is required and none may be added. */
const form = (name: string, properties: Readonly<Record<string, unknown>>): Form => ({
  name,
  schema: { type: "object", properties, required: Object.keys(properties), additionalProperties: false },
});

// The reason comes first: it is to lead to the action.
export const decisionForm = form("decision", {
  reason: { type: "string" },
  action: { type: "string", enum: actions.filter((action) => action !== "progress_report") },
  subtask: { type: ["integer", "null"] },
  to: { type: "array", items: { type: "integer" } },
  channel: { type: ["string", "null"], enum: ["chat", "email", "meeting", null] },
  topics: { type: "array", items: { type: "string" } },
  message: { type: ["integer", "null"] },
  text: { type: "string" },
});

export const contributionForm = form("contribution", { text: { type: "string" } });

export const judgementForm = form("judgement", { reason: { type: "string" }, delta: { type: "number" } });

/** What is wrong with a value, on one line, for whoever wrote it. */
export const describeIssues = ({ issues }: z.ZodError): string =>
  issues
    .slice(0, 3)
    .map(({ path, message }) => cleanLine(path.length === 0 ? message : `"${path.join(".")}": ${message}`))
    .join("; ");
