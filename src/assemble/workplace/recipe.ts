import { z } from "zod";
import { mindAttacks } from "../../attacks/minds/index.ts";
import {
  decompositions,
  type WorkplaceStrategyName,
  workplaceFeatureNames,
  workplaceStrategies,
} from "../../environments/index.ts";
import { networks } from "../../nets/index.ts";
import { count, distinct, limit, name, onset } from "../parts/keys.ts";
import { callsRecipe } from "../parts/llm-recipe.ts";
import { costsRecipe, tier, tiersRecipe } from "./calibration-recipe.ts";
import { mindsRecipe } from "./minds-recipe.ts";
import { trainRecipe } from "./train-recipe.ts";

/** Periods between two decisions of an episode: an onset names one of them. */
const periods = 40;

const workers = count.max(1000);
const tasksAtOnce = count.max(20);
const seed = z.int().min(0).max(1e9);
const decomposition = name({ ...decompositions, equal: true });

/** The recipe of a workplace: everything that decides a run's result. Every key but `name` and `world` has a default. */
export const workplaceRecipeSchema = z
  .strictObject({
    $schema: z.string().optional().describe("for editors; not read"),
    name: z
      .string()
      .max(100)
      .regex(/^[\w.-]+$/, "may hold letters, digits, dots, dashes and underscores")
      .describe("also names the run folder: runs/NAME-sSEED-HASH"),
    world: z.literal("workplace-v1").describe("which world the recipe is of"),
    seed: z.int().min(0).default(1).describe("every random number of the run follows from it"),
    backend: z
      .enum(["auto", "tensorflow", "wasm", "cpu"])
      .default("wasm")
      .describe("results are byte-equal for a seed and a backend"),
    team: z
      .strictObject({
        workers: distinct(workers).min(1).default([4, 8, 16]).describe("sizes of teams; a manager comes to each"),
      })
      .prefault({})
      .describe("who is trained with, each size equally often; `evaluate` has teams of its own"),
    projects: z
      .strictObject({
        tier: distinct(tier).min(1).default(["complex"]).describe("trained on, each equally often"),
        tasks: tasksAtOnce.default(1).describe("given to the team at once"),
        train: count.max(100_000).default(200).describe("projects that are trained on"),
        validation: z.int().min(0).max(100_000).default(40).describe("projects that the best weights are chosen on"),
        test: count.max(100_000).default(100).describe("projects of each kind that are judged on"),
        seed: seed.default(1).describe("they are drawn from; no project is in two of the three sets"),
      })
      .prefault({})
      .describe("the work, drawn at random"),
    decomposition: decomposition.default("adaptive").describe("how the manager cuts tasks into subtasks"),
    reassign: z
      .boolean()
      .default(true)
      .describe("a worker who has nothing left takes unbegun work from the most loaded one"),
    minds: mindsRecipe,
    costs: costsRecipe,
    tiers: tiersRecipe,
    calls: callsRecipe,
    topology: z
      .strictObject({
        in: limit.default(16).describe("how many an agent may ask between two decisions; null: no limit"),
        out: limit.default(null).describe("how many may ask an agent"),
        depth: count.max(1e9).nullable().default(null).describe("levels of who may ask whom; 1 means nobody"),
        edges: limit.default(null).describe("pairs of who may ask whom, in all"),
      })
      .prefault({})
      .describe("budgets of who may ask whom, where the policy decides"),
    behaviour: z
      .strictObject({
        features: distinct(name(Object.fromEntries(workplaceFeatureNames.map((feature) => [feature, true]))))
          .min(1)
          .default([...workplaceFeatureNames])
          .describe("what the policy sees of every agent"),
      })
      .prefault({}),
    network: z
      .strictObject({
        kind: name(networks).default("credit-gru").describe("credit-mlp: without memory, an ablation"),
        hidden: count.max(4096).default(16).describe("H, hidden units an agent"),
        context: z
          .enum(["none", "team"])
          .default("none")
          .describe("team: an agent's input also holds the mean of all agents' inputs"),
        rank: z
          .enum(["communicate", "decide"])
          .default("decide")
          .describe(
            "what says who may be asked: the credit that says who talks, or, decide: a second one, learned beside it",
          ),
        initialCredit: z
          .number()
          .min(-6)
          .max(6)
          .default(2)
          .describe("the credit for talking that everybody begins with; 2: seven of eight are at hand"),
        clamp: z.number().positive().lt(1000).default(6).describe("credits stay within plus and minus this"),
      })
      .prefault({}),
    train: trainRecipe,
    attack: z
      .strictObject({
        kind: name(mindAttacks).default("mislead").describe("what adversaries do"),
        adversaries: distinct(z.int().min(0)).min(1).default([0, 1]).describe("workers; an episode draws one of these"),
        onsets: distinct(onset).min(1).default(["first", "uniform"]).describe("and one of these"),
      })
      .prefault({})
      .describe("what training episodes are attacked with"),
    evaluate: z
      .strictObject({
        methods: distinct(name(workplaceStrategies))
          .min(1)
          .default(Object.keys(workplaceStrategies) as WorkplaceStrategyName[])
          .describe("what is compared"),
        workers: distinct(workers).min(1).default([4, 8, 16]).describe("sizes of teams, without the manager"),
        tiers: distinct(tier).min(1).optional().describe("default: those trained on"),
        tasks: distinct(tasksAtOnce).min(1).default([1]).describe("given to the team at once"),
        decompositions: distinct(decomposition).min(1).optional().describe("default: the recipe's own"),
        kind: name(mindAttacks).optional().describe("of the attack; default: the kind trained on"),
        adversaries: distinct(z.int().min(0))
          .min(1)
          .default([0, 1])
          .describe("how many; each with each onset is a cell"),
        onsets: distinct(onset).min(1).default(["first"]).describe("from when on"),
        episodes: count.max(1e6).default(100).describe("of a cell, method and seed"),
        seeds: distinct(seed).min(1).default([1]).describe("of the episodes"),
        participation: z
          .enum(["threshold", "sampled"])
          .default("threshold")
          .describe("threshold: an agent may talk where its probability is at least one half"),
      })
      .prefault({}),
  })
  .superRefine(({ team, attack, evaluate }, context) => {
    for (const [part, { adversaries, onsets }, most] of [
      ["attack", attack, Math.min(...team.workers)],
      ["evaluate", evaluate, Math.min(...evaluate.workers)],
    ] as const) {
      adversaries.forEach((k, i) => {
        if (k <= most) return;
        const message = `${k} adversaries among ${most} workers`;
        context.addIssue({ code: "custom", path: [part, "adversaries", i], message });
      });
      onsets.forEach((onset, i) => {
        if (!(Number(onset.split(":")[1]) > periods)) return;
        const message = `an episode has ${periods} periods between decisions`;
        context.addIssue({ code: "custom", path: [part, "onsets", i], message });
      });
    }
  });

/** A checked and completed recipe of a workplace: plain readonly data. */
export type WorkplaceRecipe = z.infer<typeof workplaceRecipeSchema>;

/** What its file may hold before it is completed. */
export type WorkplaceRecipeInput = z.input<typeof workplaceRecipeSchema>;
