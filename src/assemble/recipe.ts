import { z } from "zod";
import { attacks } from "../attacks/index.ts";
import { defaultFeatures, features } from "../behaviour/features.ts";
import { strategies } from "../environments/index.ts";
import { networks } from "../nets/index.ts";
import { topologies } from "../topology/index.ts";
import { ablations } from "./ablations.ts";
import { byRound, count, distinct, limit, name, onset, share } from "./parts/keys.ts";
import { callsRecipe } from "./parts/llm-recipe.ts";
import { populationRecipe } from "./population-recipe.ts";
import { partsRecipe, taskRecipe } from "./task-recipe.ts";

/*
 * The recipe: everything that decides a run's result, checked once at the door. What does not decide it (where files go,
 * how many lanes run, whether a bar is shown) is no part of it. Every key has a default but `name` and the population's
 * own; unknown keys fail.
 */

export const recipeSchema = z
  .strictObject({
    $schema: z.string().optional().describe("for editors; not read"),
    name: z
      .string()
      .max(100)
      .regex(/^[\w.-]+$/, "may hold letters, digits, dots, dashes and underscores"),
    world: z.literal("deliberation-v1").default("deliberation-v1"),
    seed: z.int().min(0).default(1),
    backend: z.enum(["auto", "tensorflow", "wasm", "cpu"]).default("wasm"),
    team: z.strictObject({ agents: count.max(10_000).default(6), rounds: count.max(100).default(3) }).prefault({}),
    population: populationRecipe,
    task: taskRecipe.optional(),
    calls: callsRecipe,
    split: z
      .strictObject({
        train: share.default(0.6),
        validation: share.default(0.15),
        test: share.default(0.25),
        parts: partsRecipe,
        seed: z.int().min(0).default(1),
      })
      .refine((s) => Math.abs(s.train + s.validation + s.test - 1) < 1e-9, "the three shares must add up to 1")
      .prefault({}),
    topology: z
      .strictObject({
        rule: name(topologies).default("credit"),
        in: byRound(limit).default(2).describe("in-degree budget; a list gives one for each of the rounds 2, 3, …"),
        out: byRound(limit).default(null).describe("out-degree budget"),
        depth: byRound(count.max(1e9).nullable()).default(null).describe("levels of a round"),
        edges: byRound(limit).default(null).describe("edges of a round, those through time included"),
        temporal: byRound(limit)
          .default(0)
          .describe("how many an agent may hear by what they said in an earlier round"),
      })
      .prefault({}),
    vote: z
      .strictObject({
        voters: z.enum(["all", "participants"]).default("all"),
        rule: z.enum(["credit", "majority"]).default("credit"),
      })
      .prefault({}),
    behaviour: z
      .strictObject({
        embedder: z
          .enum(["hashing", "use-lite", "transformers", "endpoint", "none"])
          .default("hashing")
          .describe("for populations that speak in words"),
        model: z.string().min(1).optional().describe("of transformers (a folder or a name on the hub) or the endpoint"),
        dimension: count.max(65_536).default(2048).describe("of the hashing embedder"),
        units: z.enum(["words", "pairs"]).default("words").describe("what it hashes: words, or words and word pairs"),
        features: distinct(name(features)).default([...defaultFeatures]),
      })
      .prefault({}),
    network: z
      .strictObject({
        kind: name(networks).default("credit-gru").describe("credit-mlp: the ablation without memory"),
        projection: count.max(4096).default(32),
        hidden: count.max(4096).default(32),
        context: z.enum(["none", "team"]).default("none"),
        heads: z.enum(["two", "shared"]).default("two"),
        rank: z
          .enum(["communicate", "decide"])
          .default("communicate")
          .describe("whose credits the graph ranks agents by"),
        clamp: z.number().positive().lt(1000).default(6),
      })
      .prefault({}),
    train: z
      .strictObject({
        steps: z.int().min(0).default(300),
        warmStartSteps: z.int().min(0).default(0),
        calls: z
          .union([count, z.null()])
          .default(null)
          .describe("agent calls after which training stops; null: no limit"),
        starts: count.default(16),
        samples: count.default(4),
        baseline: z.enum(["none", "moving-mean", "question-mean", "leave-one-out"]).default("leave-one-out"),
        normalizeAdvantages: z.boolean().default(false),
        decisionLoss: z.number().min(0).default(1),
        reward: z.enum(["right", "soft"]).default("right"),
        cost: z
          .strictObject({
            weight: z.number().min(0).default(0).describe("λ: what one unit takes off the reward"),
            per: z.enum(["calls", "edges", "levels", "tokens"]).default("calls").describe("tokens: a thousand of them"),
          })
          .prefault({}),
        reinforce: z.number().min(0).default(1),
        entropy: z.number().min(0).default(0.01),
        learningRate: z.number().positive().default(0.003),
        learningRateEnd: share.default(1).describe("share of the learning rate that is left at the last update"),
        embeddingRate: z.number().positive().default(1).describe("factor on the learning rate of the embedding's map"),
        weightDecay: z.number().min(0).default(0),
        clipNorm: z.number().positive().default(1),
        minimumQuestionShare: share.default(0),
        dropout: z.number().min(0).max(0.95).default(0.5),
        averaging: z.number().min(0).max(0.9999).default(0),
        reuse: z
          .strictObject({
            epochs: count.default(1),
            clip: z.number().positive().default(0.2),
            minimumEffectiveShare: share.default(0.5),
          })
          .prefault({}),
        validation: z
          .strictObject({
            every: count.default(25),
            episodes: count.default(400),
            score: z.enum(["accuracy", "confidence"]).default("confidence"),
            patience: z.int().min(0).default(0),
          })
          .prefault({}),
      })
      .prefault({}),
    attack: z
      .strictObject({
        kind: name(attacks).default("collude"),
        adversaries: z.array(z.int().min(0)).min(1).default([0, 1, 2, 3, 4]),
        onsets: z.array(onset).min(1).default(["first", "uniform"]),
      })
      .prefault({})
      .describe("what training episodes are attacked with; numbers and onsets are drawn uniformly"),
    evaluate: z
      .strictObject({
        methods: distinct(name({ ...strategies, ...ablations }))
          .min(1)
          .default(Object.keys(strategies) as (keyof typeof strategies)[])
          .describe("default: all but the ablations, each of which is a training run of its own"),
        participation: z.enum(["threshold", "sampled"]).default("threshold"),
        kind: name(attacks).optional().describe("default: the kind trained on"),
        adversaries: distinct(z.int().min(0)).min(1).default([0, 2, 3, 4]),
        onsets: distinct(onset).min(1).default(["first", "uniform"]),
        episodes: count.default(500).describe("a cell, method and seed"),
        seeds: distinct(z.int().min(0)).min(1).default([1]),
      })
      .prefault({}),
  })
  .superRefine(({ team, population, task, behaviour, attack, evaluate }, context) => {
    if ((population.kind === "llm") !== (task !== undefined)) {
      const message =
        task === undefined
          ? "language models need questions: name a benchmark or a file"
          : `agents of the kind "${population.kind}" bring questions of their own; leave it out`;
      context.addIssue({ code: "custom", path: ["task"], message });
    }
    const needsModel = behaviour.embedder === "transformers" || behaviour.embedder === "endpoint";
    if (needsModel && behaviour.model === undefined) {
      context.addIssue({ code: "custom", path: ["behaviour", "model"], message: `${behaviour.embedder} needs one` });
    }
    if (population.kind !== "simulated" && behaviour.embedder === "none" && behaviour.features.length === 0) {
      const message = "without an embedder and without features the policy sees nothing";
      context.addIssue({ code: "custom", path: ["behaviour"], message });
    }
    for (const [part, { adversaries, onsets }] of Object.entries({ attack, evaluate })) {
      adversaries.forEach((k, i) => {
        if (k <= team.agents) return;
        const message = `${k} adversaries in a team of ${team.agents}`;
        context.addIssue({ code: "custom", path: [part, "adversaries", i], message });
      });
      onsets.forEach((onset, i) => {
        if (!(Number(onset.split(":")[1]) > team.rounds)) return;
        const message = `an episode of ${team.rounds} rounds has no such round`;
        context.addIssue({ code: "custom", path: [part, "onsets", i], message });
      });
    }
  });

/** A checked and completed recipe: plain readonly data. */
export type Recipe = z.infer<typeof recipeSchema>;

/** What a recipe file may hold before it is completed. */
export type RecipeInput = z.input<typeof recipeSchema>;
