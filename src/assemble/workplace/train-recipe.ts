import { z } from "zod";
import { count, share } from "../parts/keys.ts";

/*
 * What a recipe of a workplace may say of training: the trainer's settings but for those that need right and wrong answers.
 */

const rate = z.number().positive();

export const trainRecipe = z
  .strictObject({
    steps: z.int().min(0).default(200).describe("updates of the weights"),
    calls: z
      .union([count, z.null()])
      .default(null)
      .describe("calls of models after which training stops; null: no limit"),
    starts: count.default(8).describe("episode starts an update plays ..."),
    samples: count.default(8).describe("... each this often"),
    baseline: z
      .enum(["none", "moving-mean", "question-mean", "leave-one-out"])
      .default("leave-one-out")
      .describe("what an episode's utility is compared with"),
    normalizeAdvantages: z.boolean().default(true).describe("divide advantages by their deviation"),
    cost: z
      .strictObject({
        weight: z.number().min(0).default(0).describe("reward that one unit takes off"),
        per: z
          .enum(["communication", "hours", "calls"])
          .default("communication")
          .describe("the unit: share of all steps on communication, hours of it by the ledger, or calls of models"),
      })
      .prefault({})
      .describe("what an episode costs comes off its reward"),
    entropy: z.number().min(0).default(0.01).describe("bonus on undecided participation at first; falls to 0"),
    learningRate: rate.default(0.01).describe("of Adam, at the first update"),
    learningRateEnd: share.default(0.2).describe("share of it that is left at the last update"),
    weightDecay: z.number().min(0).default(0).describe("of weight matrices at each update (AdamW)"),
    clipNorm: rate.default(1).describe("longer gradients are cut to this norm"),
    averaging: z.number().min(0).max(0.9999).default(0).describe("decay of the mean of the weights that is judged"),
    reuse: z
      .strictObject({
        epochs: count.default(1).describe("how often a batch is used; above 1 with clipped ratios (PPO)"),
        clip: rate.default(0.2).describe("ratios count within 1 plus and minus this"),
        minimumEffectiveShare: share.default(0.5).describe("below this share of effective samples it is given up"),
      })
      .prefault({})
      .describe("of a batch"),
    validation: z
      .strictObject({
        every: count.default(20).describe("updates between two validations"),
        episodes: count.default(80).describe("of one validation"),
        patience: z
          .int()
          .min(0)
          .default(0)
          .describe("validations without a better one before training stops; 0: never"),
      })
      .prefault({})
      .describe("on projects of their own, the same episodes each time; the best weights are kept"),
  })
  .prefault({});
