import type { Learner, StudyPlan } from "./study.ts";

/** Agent calls of a run of the recipe `recorded`, rounded up: what every other learner may spend. */
const calls = 230_000;

/** Plain REINFORCE as the peers publish it, until it has spent as many calls. */
const plain: Learner = {
  name: "plain REINFORCE",
  set: [
    "train.steps=100000",
    `train.calls=${calls}`,
    "train.samples=1",
    "train.starts=60",
    "train.baseline=none",
    "train.decisionLoss=0",
    "train.reward=right",
    "train.entropy=0",
    "train.averaging=0",
    "train.learningRateEnd=1",
    "train.minimumQuestionShare=0",
    "train.dropout=0",
    "train.embeddingRate=1",
  ],
};

/** The recipe and plain REINFORCE at equal calls, on five splits of a bank, beside every method without training. */
export const recorded: StudyPlan = {
  recipe: "recorded",
  learners: [{ name: "learned", set: [] }, plain],
  splits: [1, 2, 3, 4, 5],
  methods: [
    "untrained",
    "single",
    "vote-first",
    "self-consistency",
    "chain",
    "star",
    "tree",
    "layered",
    "random",
    "complete",
    "answer-flip",
    "learned-vote",
    "learned/random-order",
    "oracle",
  ],
  set: [],
};
