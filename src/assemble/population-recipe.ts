import { z } from "zod";
import { defaultSimulation } from "../populations/simulated/settings.ts";
import { llmPopulation } from "./parts/llm-recipe.ts";

/*
 * What a recipe may say of its population. The names and ranges of the simulated families are those of
 * `populations/simulated`; a recipe gives those that differ from the defaults.
 */

const size = z.number().min(0);
const share = z.number().min(0).max(1);
const wholeNumber = z.int().min(0);

const independent = z
  .strictObject({
    accuracy: z.number().gt(0).lt(1).describe("mean accuracy of one agent"),
    skillSpread: size.describe("standard deviation of agents' skill, in probit units"),
    skillOffsets: z.array(z.number()).describe("added to the skill of agent 0, 1, …, around again"),
    difficultySpread: size.describe("standard deviation of questions' difficulty"),
    roleStrength: size.describe("what a role gains on its own topic"),
    sameWrong: share.describe("how often two wrong agents choose the same wrong option"),
    ownWeight: z.number().describe("weight of the answer one holds"),
    misconceptionWeight: z.number().describe("added for whoever holds the shared wrong option"),
    crowdWeight: size.describe("weight that a unanimous crowd tends to"),
    halfVoices: size.describe("voices that weigh half of that"),
    knowledge: size.describe("power of one's own knowledge in the law"),
    redraw: share.describe("chance of thinking anew when nobody is heard"),
    force: z
      .strictObject({ argue: size, rebut: size, babble: size })
      .partial()
      .describe("how much the voice of an adversary counts, by manner; an honest voice counts 1"),
  })
  .partial();

const distributed = z
  .strictObject({
    pieces: z.int().min(1).describe("pieces of knowledge that a question needs"),
    copies: wholeNumber.describe("agents that hold each piece at first"),
    accuracy: share.describe("probability that one who holds all pieces answers right"),
    falsePieces: wholeNumber.describe("pieces an adversary falsifies in each utterance"),
  })
  .partial();

const simulated = z
  .strictObject({
    kind: z.literal("simulated"),
    seed: z.int().default(defaultSimulation.seed),
    roles: z
      .array(z.string().min(1))
      .min(1)
      .default([...defaultSimulation.roles]),
    embeddingDimension: z.int().min(2).default(defaultSimulation.embeddingDimension),
    signal: z
      .array(z.number().min(0.5).max(0.999))
      .min(1)
      .default([...defaultSimulation.signal]),
    questionTrace: size.default(defaultSimulation.questionTrace),
    answerTrace: size.default(defaultSimulation.answerTrace),
    competenceTrace: size.default(defaultSimulation.competenceTrace),
    independent: independent.default({}).describe("settings of the family `independent` that differ from the defaults"),
    distributed: distributed.default({}).describe("settings of the family `distributed` that differ from the defaults"),
    questions: z
      .strictObject({ independent: wholeNumber.default(300), distributed: wholeNumber.default(0) })
      .prefault({})
      .describe("how many questions of each family are made"),
  })
  .describe("agents without language models, with a measured amount of tell-tale signal");

const recorded = z
  .strictObject({
    kind: z.literal("recorded"),
    bank: z.string().min(1).describe("a behaviour bank made by `colloquy import` or `colloquy record`"),
  })
  .describe("real utterances from a behaviour bank; later answers follow a response law fitted on it");

export const populationRecipe = z.discriminatedUnion("kind", [simulated, recorded, llmPopulation]);
