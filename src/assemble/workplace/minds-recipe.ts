import { z } from "zod";
import { defaultTraits } from "../../minds/index.ts";
import { count, share } from "../parts/keys.ts";
import { models } from "../parts/llm-recipe.ts";

/*
 * What a recipe may say of who works in a workplace.
 */

const thousandths = z.int().min(0).max(1000);

const range = (value: z.ZodNumber) =>
  z.tuple([value, value]).refine((ends) => ends[0] <= ends[1], "the first must not be above the second");

const simulated = z
  .strictObject({
    kind: z.literal("simulated").describe("members without language models"),
    knowledge: range(share)
      .default([...defaultTraits.knowledge])
      .describe("chance that a worker knows a topic it has the skill for: each draws its own between these"),
    managerKnowledge: share.default(defaultTraits.managerKnowledge).describe("the same of the manager, for all skills"),
    clarity: range(thousandths)
      .default([...defaultTraits.clarity])
      .describe("how clear a worker's answers are in a chat, in thousandths: each draws its own between these"),
    managerClarity: thousandths.default(defaultTraits.managerClarity).describe("the same of the manager"),
  })
  .describe("members without language models");

const llm = z
  .strictObject({
    kind: z.literal("llm").describe("language models behind the OpenAI API"),
    models,
    draws: count.nullable().default(null).describe("different replies to one prompt; null: every episode asks anew"),
    judge: z
      .enum(["overlap", "model"])
      .default("overlap")
      .describe("of what an answer teaches: by what it covers, or the first model"),
  })
  .describe("language models behind the OpenAI API");

export const mindsRecipe = z
  .discriminatedUnion("kind", [simulated, llm])
  .default(simulated.parse({ kind: "simulated" }))
  .describe("who decides for the members");
