/** A learner that differs from the run's own in one thing; it is trained by itself, for as many agent calls. */
export interface Ablation {
  readonly summary: string;
  /** Keys of the recipe that it changes, by section. */
  readonly changes: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Features it does without; the recipe's others stay. */
  readonly without?: readonly string[];
}

/** What turns a recipe into plain REINFORCE as the peers publish it: raw 0/1 utility, no baseline, nothing else. */
export const plainReinforce = {
  warmStartSteps: 0,
  samples: 1,
  baseline: "none",
  normalizeAdvantages: false,
  decisionLoss: 0,
  reward: "right",
  reinforce: 1,
  entropy: 0,
  learningRateEnd: 1,
  embeddingRate: 1,
  minimumQuestionShare: 0,
  dropout: 0,
  averaging: 0,
  reuse: { epochs: 1, clip: 0.2, minimumEffectiveShare: 0.5 },
} as const;

/** The ablations of the credit policy, by the name of their method. */
export const ablations = {
  "learned/shared-head": {
    summary: "one head for speaking and voting, as TodyComm states it",
    changes: { network: { heads: "shared" } },
  },
  "learned/trust-order": {
    summary: "graphs rank agents by the credit of their vote: who is trusted is heard",
    changes: { network: { rank: "decide" } },
  },
  "learned/no-communication": {
    summary: "trained and judged without edges: everyone who takes part thinks again alone",
    changes: { topology: { rule: "none", temporal: 0 } },
  },
  "learned/no-memory": {
    summary: "a feed-forward cell in place of the GRU: each decision sees its own round only",
    changes: { network: { kind: "credit-mlp" } },
  },
  "learned/no-embedding": {
    summary: "named features alone, nothing of what is said",
    changes: { behaviour: { embedder: "none" } },
  },
  "learned/no-neighbours": {
    summary: "no feature of what an agent heard",
    changes: {},
    without: ["heardSameShare", "cosineHeard", "heardAnyone", "heardShare"],
  },
  "learned/random-training": {
    summary: "trained and judged with as many edges in random order",
    changes: { topology: { rule: "random-order" } },
  },
  "learned/plain-reinforce": {
    summary: "plain REINFORCE on right or wrong, as the peers publish it: no baseline, no decision loss",
    changes: { train: plainReinforce },
  },
} as const satisfies Record<string, Ablation>;

export type AblationName = keyof typeof ablations;
