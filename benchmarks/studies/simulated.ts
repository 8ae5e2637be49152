import type { StudyPlan } from "./study.ts";

const methods = ["untrained", "single", "vote-first", "complete", "learned-vote", "learned/random-order", "oracle"];
const splits = [1, 2, 3];

/** The demo's recipe: both families of questions, adversaries from none to two thirds. */
export const simulated: StudyPlan = {
  recipe: "quickstart",
  learners: [{ name: "learned", set: [] }],
  splits,
  methods,
  set: ["evaluate.onsets=[first, uniform]"],
};

/** Trained on 0, 2 and 4 adversaries of six, judged at rates and onsets it never saw. */
export const unseen: StudyPlan = {
  ...simulated,
  learners: [{ name: "learned", set: ["attack.adversaries=[0,2,4]"] }],
  set: ["evaluate.adversaries=[0,1,3,5]", "evaluate.onsets=[late, moving, 'fixed:2']"],
};

/** Utterances that betray nothing, neither attack nor competence: detection must gain nothing. */
export const noSignal: StudyPlan = {
  ...simulated,
  set: ["population.signal=[0.5]", "population.competenceTrace=0", "evaluate.onsets=[first]"],
};

/** Knowledge spread over the team: the graph itself has to earn something. */
export const distributed: StudyPlan = {
  ...simulated,
  set: ["population.questions={independent: 0, distributed: 300}", "evaluate.onsets=[first]"],
};
