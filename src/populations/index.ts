import { languagePopulation } from "./llm.ts";
import { recordedPopulation } from "./recorded.ts";
import { simulatedPopulation } from "./simulated.ts";

export { type Bank, bankQuestions, readBank, writeBank } from "./bank.ts";
export { fitLaw } from "./fit-law.ts";
export type { LanguageTeamSettings } from "./llm.ts";
export { type Recording, recordDebate } from "./record-debate.ts";
export { languagePopulation, recordedPopulation, simulatedPopulation };

/** Every source of agents by name. */
export const populations = {
  simulated: {
    summary: "agents without words, with skills and knowledge drawn from a model",
    create: simulatedPopulation,
  },
  recorded: {
    summary: "real utterances from a behaviour bank, answers by a fitted response law",
    create: recordedPopulation,
  },
  llm: {
    summary: "language models, each in a role, that answer by a call",
    create: languagePopulation,
  },
};
