import { ablations, strategies } from "colloquy";
import type { StudyPlan } from "./study.ts";

const everyMethod = [...Object.keys(strategies), ...Object.keys(ablations)];
const few = [
  "learned",
  "untrained",
  "single",
  "vote-first",
  "complete",
  "learned-vote",
  "learned/random-order",
  "oracle",
];
const bothOnsets = ["evaluate.onsets=[first, uniform]", "evaluate.adversaries=[0,2,3,4]"];

/** Recorded debates: every method, on five splits of a bank. */
const recorded: StudyPlan = {
  recipe: "recorded",
  splits: [1, 2, 3, 4, 5],
  methods: everyMethod,
  set: [...bothOnsets, "evaluate.episodes=1000"],
};

/** The demo's recipe, both families of questions: every method, on five splits. */
const simulated: StudyPlan = { ...recorded, recipe: "quickstart" };

/** Trained on 0, 2 and 4 adversaries of six, judged at rates and onsets it never saw. */
const unseen: StudyPlan = {
  recipe: "quickstart",
  splits: [1, 2, 3],
  methods: few,
  set: ["attack.adversaries=[0,2,4]", "evaluate.adversaries=[0,1,3,5]", "evaluate.onsets=[late, moving, 'fixed:2']"],
};

/** Utterances that betray nothing, neither attack nor competence: detection must gain nothing. */
const noSignal: StudyPlan = {
  ...unseen,
  set: ["population.signal=[0.5]", "population.competenceTrace=0", "evaluate.onsets=[first]"],
};

/** Knowledge spread over the team: the graph itself has to earn something. */
const distributed: StudyPlan = {
  ...unseen,
  set: ["population.questions={independent: 0, distributed: 300}", "evaluate.onsets=[first]"],
};

/** The studies that train on several splits and judge them together, by name. */
export const plans = { recorded, simulated, unseen, "no-signal": noSignal, distributed };

export type PlanName = keyof typeof plans;
