import { applyOverrides, checkRecipe, type WorkplaceRecipe } from "../../assemble/index.ts";
import { ColloquyError } from "../../base/errors.ts";
import type { JudgeFlags } from "../flags/judge-flags.ts";

/**
 * The recipe with what the command line says instead, checked again as a whole.
 * @throws ColloquyError `usage/option` for what means nothing in a workplace, `recipe/invalid`
 */
export function judgedWorkplace(recipe: WorkplaceRecipe, flags: JudgeFlags): WorkplaceRecipe {
  if (flags.rounds !== undefined) refuse("--rounds", "an episode of a workplace lasts until all is done, or 40 hours");
  if (flags.allowOverlap) refuse("--allow-overlap", "no project that is judged on is ever trained on");
  if (flags.budget?.["temporal"] !== undefined) refuse("--budget temporal", "there are no rounds to hear from");
  if (flags.agents !== undefined && flags.agents < 2)
    refuse("--agents 1", "a team is a manager and at least one worker");
  const workers = flags.agents === undefined ? undefined : flags.agents - 1;
  const overrides: [string, unknown][] = [
    ["evaluate.methods", flags.methods],
    ["evaluate.kind", flags.attack],
    ["evaluate.onsets", flags.onset],
    ["evaluate.episodes", flags.episodes],
    ["evaluate.seeds", flags.seeds],
    ["evaluate.workers", workers && [workers]],
    ["evaluate.adversaries", workers && recipe.evaluate.adversaries.filter((k) => k <= workers)],
    ...Object.entries(flags.budget ?? {}).map(([key, value]): [string, unknown] => [`topology.${key}`, value]),
  ];
  const changed = applyOverrides(
    recipe,
    overrides.flatMap(([key, value]) => (value === undefined ? [] : [`${key}=${JSON.stringify(value)}`])),
  );
  return checkRecipe(changed, "the command line", "workplace-v1");
}

function refuse(option: string, why: string): never {
  throw new ColloquyError("usage/option", `${option} means nothing in a workplace: ${why}`, {
    hint: "Leave it out; teams are --agents, attacks --attack-rates, --attack and --onset.",
  });
}
