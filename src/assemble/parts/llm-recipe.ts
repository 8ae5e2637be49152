import { z } from "zod";

/*
 * What a recipe may say of live language models: who they are and how they are spoken to, and how calls are
 * made (`calls`), which decides no result and is therefore no part of a run's identity.
 */

const count = z.int().min(1);
const dollars = z.number().min(0);

const modelSettings = z.strictObject({
  model: z.string().min(1).describe("its name on the server"),
  provider: z.enum(["openai", "scripted"]).default("openai").describe("scripted: a stand-in without a server"),
  baseURL: z.string().min(1).optional().describe("default: OPENAI_BASE_URL, else the hosted API"),
  keyVariable: z.string().regex(/^\w+$/).default("OPENAI_API_KEY").describe("environment variable that holds the key"),
  temperature: z.number().min(0).max(2).optional(),
  topP: z.number().min(0).max(1).optional(),
  maxTokens: count.max(1_000_000).default(1024).describe("of a reply, hidden reasoning included"),
  structured: z.boolean().default(false).describe("ask for a reply in a JSON form the server holds it to"),
  sendSeed: z.boolean().default(true),
  tokensParameter: z.enum(["auto", "max_tokens", "max_completion_tokens", "none"]).default("auto"),
  omit: z
    .array(z.string())
    .default([])
    .describe("parameters the server refuses: temperature, top_p, seed, response_format"),
  extra: z
    .record(z.string(), z.unknown())
    .default({})
    .describe("further fields of the request, as the server names them"),
});

const role = z.union([
  z.string().min(1).max(100),
  z.strictObject({ name: z.string().min(1).max(100), instructions: z.string().max(4000).optional() }),
]);

/** Models by name or with settings; who speaks with which is for the world to say. */
export const models = z
  .array(
    z.union([
      z
        .string()
        .min(1)
        .transform((model) => modelSettings.parse({ model })),
      modelSettings,
    ]),
  )
  .min(1)
  .describe("names or settings; agent i speaks with model i, around again");

export type ModelRecipe = z.output<typeof models>[number];

export const llmPopulation = z
  .strictObject({
    kind: z.literal("llm"),
    models,
    roles: z.array(role).min(1).optional().describe("default: those of the task; agent i has role i, around again"),
    prompts: z
      .strictObject({
        system: z.string(),
        question: z.string(),
        heard: z.string(),
        message: z.string(),
        own: z.string(),
        closing: z.string(),
      })
      .partial()
      .default({})
      .describe("templates with placeholders, where they differ from the usual ones"),
    draws: count.nullable().default(null).describe("different replies to one prompt; null: every episode asks anew"),
    messageLength: z
      .int()
      .min(100)
      .max(100_000)
      .default(4000)
      .describe("characters of a message that its hearer is shown"),
    truncatedPrompt: z.enum(["warn", "fail"]).default("warn").describe("where a server seems to drop part of a prompt"),
  })
  .describe("language models behind the OpenAI API");

/** How calls are made and what they cost. */
export const callsRecipe = z
  .strictObject({
    retries: z.int().min(0).max(100).default(5).describe("of one call"),
    timeoutSeconds: z.number().positive().max(86_400).default(120).describe("for a whole reply"),
    longestWaitSeconds: z.number().min(0).default(300).describe("a server that asks for more ends the run, saved"),
    requestsPerMinute: count.nullable().default(null),
    tokensPerMinute: count.nullable().default(null),
    prices: z
      .record(z.string(), z.strictObject({ input: dollars, cachedInput: dollars.optional(), output: dollars }))
      .default({})
      .describe("US dollars per million tokens, by model; before the built-in table"),
  })
  .prefault({})
  .describe("how language models are called; decides no result");

export type CallsRecipe = z.output<typeof callsRecipe>;
