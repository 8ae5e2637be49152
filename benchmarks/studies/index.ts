import { runBudgets } from "./budgets.ts";
import { recorded } from "./recorded.ts";
import { distributed, noSignal, simulated, unseen } from "./simulated.ts";
import { runStudy, type StudyOptions, type StudyOutcome, type StudyPlan } from "./study.ts";

const follow =
  (plan: StudyPlan) =>
  (options: StudyOptions): Promise<StudyOutcome> =>
    runStudy(plan, options);

/** The studies behind the published tables, by name. */
export const studies = {
  recorded: follow(recorded),
  simulated: follow(simulated),
  unseen: follow(unseen),
  "no-signal": follow(noSignal),
  distributed: follow(distributed),
  budgets: runBudgets,
};
