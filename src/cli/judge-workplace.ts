import { isLive, isTrainedMethod, type Trained, type WorkplaceRecipe } from "../assemble/index.ts";
import { ColloquyError } from "../base/errors.ts";
import { consoleWorkplace, type WorkplaceResults } from "../evaluate/workplace/index.ts";
import { evaluationLedger } from "./evaluation-ledger.ts";
import type { JudgeFlags } from "./flags/judge-flags.ts";
import type { Judging } from "./judging.ts";
import { type LiveSettings, liveOptions } from "./live.ts";
import { describeProvenance } from "./provenance.ts";
import { tryReport } from "./report/write-report.ts";
import { judgedWorkplace } from "./workplace/judged-recipe.ts";
import { runWorkplaceEvaluation, type WorkplaceEvaluation } from "./workplace/run-evaluation.ts";

/** A policy for workplaces, or a recipe whose methods need none. */
export type WorkplaceContestant = Pick<Trained<WorkplaceRecipe>, "recipe"> & {
  readonly checkpoint: Trained["checkpoint"] | null;
};

export type WorkplaceEvaluationOptions = Omit<WorkplaceEvaluation, "environment" | "live"> & LiveSettings;

/**
 * Judges methods on projects that nobody was trained on, and writes the results and their report.
 * @throws ColloquyError as `runWorkplaceEvaluation`
 */
export async function evaluateWorkplace(
  { recipe, checkpoint }: WorkplaceContestant,
  options: WorkplaceEvaluationOptions,
): Promise<WorkplaceResults> {
  const live = isLive(recipe) ? liveOptions(options, evaluationLedger({ recipe }, options)) : undefined;
  const results = await runWorkplaceEvaluation(recipe, checkpoint === null ? null : { checkpoint }, {
    ...options,
    environment: describeProvenance(),
    live,
  });
  await tryReport(options);
  return results;
}

/**
 * An evaluation of a workplace as the command runs it.
 * @param refuseUntrained called where a method needs a policy and there is none
 */
export function judgeWorkplace(
  found: WorkplaceRecipe,
  trained: Trained<WorkplaceRecipe> | null,
  flags: JudgeFlags,
  refuseUntrained: () => never,
): Judging {
  const recipe = judgedWorkplace(found, flags);
  if (trained === null && recipe.evaluate.methods.some(isTrainedMethod)) refuseUntrained();
  return {
    recipe,
    async run(settings) {
      const results = await evaluateWorkplace({ recipe, checkpoint: trained?.checkpoint ?? null }, settings);
      return { results, complete: results.complete, failed: 0, text: consoleWorkplace(results) };
    },
    estimate: refuseEstimate,
  };
}

/** How often people ask depends on how far they come: no bounds worth having are known beforehand. */
export async function refuseEstimate(): Promise<never> {
  throw new ColloquyError("usage/estimate", "what an episode of a workplace costs is not known before it is played", {
    hint: "Leave out --dry-run and --pilot; --max-calls, --max-tokens and --max-cost stop a run, saved.",
  });
}
