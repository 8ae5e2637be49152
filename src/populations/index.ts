import { recordedPopulation } from "./recorded.ts";
import { simulatedPopulation } from "./simulated.ts";

export { type Bank, bankQuestions, readBank, writeBank } from "./bank.ts";
export { fitLaw } from "./fit-law.ts";
export { recordedPopulation, simulatedPopulation };

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
};
