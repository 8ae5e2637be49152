import { syntheticQuestions } from "./synthetic.ts";

/** Every benchmark by name. */
export const tasks = {
  synthetic: { summary: "generated questions for simulated teams, of two families", questions: syntheticQuestions },
};
