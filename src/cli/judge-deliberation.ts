import { applyOverrides, checkRecipe, type Recipe, type Trained } from "../assemble/index.ts";
import { consoleResults } from "../evaluate/index.ts";
import { openForEstimate, rehearsedEpisodes, showEstimate } from "./estimate.ts";
import { evaluationLedger } from "./evaluation-ledger.ts";
import type { JudgeFlags } from "./flags/judge-flags.ts";
import type { Judging } from "./judging.ts";
import { rehearseEvaluation, runEvaluation } from "./run-evaluation.ts";

/**
 * An evaluation of a deliberation as the command runs it. There is always a policy to be judged.
 * @param refuseUntrained called where there is none
 */
export function judgeDeliberation(
  found: Recipe,
  policy: Trained | null,
  flags: JudgeFlags,
  refuseUntrained: () => never,
): Judging {
  const recipe = withFlags(found, flags);
  const trained: Trained = { ...(policy ?? refuseUntrained()), recipe };
  return {
    recipe,
    async run(settings) {
      const results = await runEvaluation(trained, settings);
      const failed = results.rows.reduce((sum, { errors }) => sum + errors, 0);
      return { results, complete: results.complete, failed, text: consoleResults(results) };
    },
    estimate: (settings, output) =>
      showEstimate(
        {
          recipe,
          open: (live) => openForEstimate(recipe, live, {}, trained),
          parts: (world, stance) => rehearseEvaluation(world, trained, settings, stance, rehearsedEpisodes),
        },
        settings,
        evaluationLedger(trained, settings),
        output,
      ),
  };
}

/** The recipe with what the command line says instead, checked again as a whole. */
function withFlags(recipe: Recipe, options: JudgeFlags): Recipe {
  const overrides: [string, unknown][] = [
    ["evaluate.methods", options.methods],
    ["evaluate.kind", options.attack],
    ["evaluate.onsets", options.onset],
    ["evaluate.episodes", options.episodes],
    ["evaluate.seeds", options.seeds],
    ...Object.entries(options.agents === undefined ? {} : resizeTeam(recipe, options.agents)),
    ["team.rounds", options.rounds],
    ...Object.entries(options.budget ?? {}).map(([key, value]): [string, unknown] => [`topology.${key}`, value]),
  ];
  const given = overrides.filter(([, value]) => value !== undefined);
  const changed = applyOverrides(
    recipe,
    given.map(([key, value]) => `${key}=${JSON.stringify(value)}`),
  );
  return checkRecipe(changed, "the command line");
}

/** Another team size keeps the attack rates; numbers of adversaries that training drew from but the team cannot hold go. */
function resizeTeam({ team, attack, evaluate }: Recipe, agents: number): Record<string, unknown> {
  const possible = attack.adversaries.filter((k) => k <= agents);
  return {
    "team.agents": agents,
    "attack.adversaries": possible.length > 0 ? possible : [0],
    "evaluate.adversaries": [...new Set(evaluate.adversaries.map((k) => Math.round((k / team.agents) * agents)))],
  };
}
