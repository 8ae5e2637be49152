import { z } from "zod";

/** The version of the results file. A reader refuses any other. */
export const RESULTS_SCHEMA = "colloquy.results/1";

const share = z.number().min(0).max(1);
const count = z.int().min(0);

/** One method in one cell. Shares are in [0, 1]; `null` stands for "unknown" or "does not apply", never for 0. */
export const resultRowSchema = z.object({
  /** Versioned name of the environment. */
  world: z.string(),
  benchmark: z.string(),
  population: z.string(),
  method: z.string(),
  /** Kind of attack. */
  attack: z.string(),
  /** ρ as asked for; `adversaries` is what it came to. */
  attackRate: share,
  adversaries: count,
  onset: z.string(),
  seeds: z.array(z.int()),
  /** Episodes, failed ones included. */
  n: count,
  /** Distinct questions: the unit of every interval and test. */
  questions: count,
  correct: count,
  /** Episodes that failed. They stay in `n` and are not right. */
  errors: count,
  /** Episodes in which nobody gave a readable answer. They stay in `n` and are not right. */
  unparsed: count,
  /** correct / n, with its 95 % interval from `low` to `high`. */
  accuracy: share,
  low: share,
  high: share,
  /** `wilson` where each question is played once (or all outcomes agree), else the cluster bootstrap over questions. */
  interval: z.enum(["wilson", "bootstrap"]),
  /** correct / (n − errors − unparsed). */
  accuracyAnswered: share.nullable(),
  /** Mean task utility. */
  utility: z.number(),
  /** Of the episodes right without attack: the share no longer right with it. Failed episodes on either side are left out. */
  attackSuccessRate: share.nullable(),
  /** By round: share of honest agents who hold the adversaries' target. Empty where no episode names a target. */
  infection: z.array(share.nullable()),
  /** Share of the adversaries, and of the honest, that take part in the vote. */
  adversariesKept: share.nullable(),
  honestKept: share.nullable(),
  /** The same for the communication graphs of all rounds. */
  adversariesKeptInGraphs: share.nullable(),
  honestKeptInGraphs: share.nullable(),
  /** Chance that an honest agent's credit exceeds an adversary's in the same vote; `null` where credits never vary. */
  auc: share.nullable(),
  /** Means per episode. */
  calls: z.number(),
  tokens: z.number().nullable(),
  cost: z.number().nullable(),
  edges: z.number(),
  /** Levels of the deepest round. */
  depth: z.number(),
  /** Levels of all rounds together, the first one included: how many calls an episode waits for, one after another. */
  levels: z.number(),
  callsTotal: z.number(),
  tokensTotal: z.number().nullable(),
  costTotal: z.number().nullable(),
});

/** A method against the reference on the same episodes of one cell. */
export const comparisonSchema = z.object({
  method: z.string(),
  reference: z.string(),
  attack: z.string(),
  attackRate: share,
  adversaries: count,
  onset: z.string(),
  /** What is compared: right answers, or task utility. */
  by: z.enum(["accuracy", "utility"]),
  /** Episodes that both have played, and their distinct questions. */
  n: count,
  questions: count,
  /** Mean of method − reference, with its 95 % interval by the cluster bootstrap. */
  difference: z.number(),
  low: z.number(),
  high: z.number(),
  test: z.enum(["sign-flip", "mcnemar"]),
  p: share,
  /** p after Holm's adjustment for all comparisons of the table. */
  pHolm: share,
  /** Of the method, seen from the reference: a difference where pHolm is below 5 % and the interval leaves 0 out. */
  verdict: z.enum(["better", "worse", "no measurable difference"]),
  /** Questions needed to see 3 points with 80 % power; `null` where the differences do not vary. */
  questionsNeeded: count.nullable(),
});

/** σ(c) of one method in one cell, by the round a decision is for (T+1: the vote) and by side. */
export const creditRowSchema = z.object({
  method: z.string(),
  attack: z.string(),
  attackRate: share,
  adversaries: count,
  onset: z.string(),
  round: count,
  /** An agent is adversarial in the rounds in which it attacks. */
  side: z.enum(["honest", "adversarial"]),
  /** Credits: agents times episodes. */
  n: count,
  mean: share,
  /** Quantiles. */
  p10: share,
  p25: share,
  p50: share,
  p75: share,
  p90: share,
});

/** What `evaluate` leaves behind: `results.json`. */
export const resultsSchema = z.object({
  schema: z.literal(RESULTS_SCHEMA),
  /** False when the run stopped before all its episodes were played. */
  complete: z.boolean(),
  planned: count,
  played: count,
  headline: z.string(),
  /** The command that gives these numbers again. */
  command: z.string(),
  /** Versions, commit, backend. */
  environment: z.record(z.string(), z.unknown()),
  /** Hashes of the question splits by name. */
  splits: z.record(z.string(), z.string()),
  rows: z.array(resultRowSchema),
  comparisons: z.array(comparisonSchema),
  /** Of methods whose credits vary; absent where nobody counted them. */
  credits: z.array(creditRowSchema).optional(),
});

export type ResultRow = Readonly<z.infer<typeof resultRowSchema>>;
export type Comparison = Readonly<z.infer<typeof comparisonSchema>>;
export type CreditRow = Readonly<z.infer<typeof creditRowSchema>>;
export type Results = Readonly<z.infer<typeof resultsSchema>>;
