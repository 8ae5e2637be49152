import { runBudgets } from "./budgets.ts";
import { runCosts } from "./costs.ts";
import { runFull } from "./full.ts";
import { type PlanName, plans } from "./plans.ts";
import { runSizes } from "./sizes.ts";
import { runStudy, type StudyOptions, type StudyOutcome } from "./study.ts";
import { runWorkplace } from "./workplace.ts";

type Study = (options: StudyOptions) => Promise<StudyOutcome>;

const planned = Object.fromEntries(
  Object.keys(plans).map((name): [string, Study] => [name, (options) => runStudy(name as PlanName, options)]),
);

/** The studies behind the published tables, by name. */
export const studies: Readonly<Record<string, Study>> = {
  full: runFull,
  ...planned,
  budgets: runBudgets,
  costs: runCosts,
  sizes: runSizes,
  workplace: runWorkplace,
};
