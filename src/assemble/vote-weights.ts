import { sigmoid } from "../base/sigmoid.ts";
import type { EpisodeRecord } from "../contracts/trace.ts";
import { type Strategy, strategies } from "../environments/index.ts";
import type { Recipe } from "./recipe.ts";

/**
 * How much each agent's voice weighed in the vote of an episode, by index: σ(c) or 1 by the method's rule, 0 where it had
 * no voice or no readable answer.
 * @param method a name of the table, or a learner by any other name, which votes as the recipe says
 */
export function voteWeights(record: EpisodeRecord, method: string, recipe: Pick<Recipe, "vote"> | null): number[] {
  const settings = settingsOf(method);
  const rule = settings?.vote ?? recipe?.vote.rule ?? "credit";
  const voters = settings?.voters ?? recipe?.vote.voters ?? "all";
  const decision = record.outcome === "failed" ? undefined : record.decisions.at(-1);
  return record.onsets.map((_, agent) => {
    if (decision === undefined || (voters === "participants" && decision.participants[agent] !== 1)) return 0;
    const said = record.rounds.flatMap((round) => round[agent] ?? []);
    // Who made no call keeps its last word.
    const counted = countsAllRounds(method) ? said : said.slice(-1);
    if (counted.every(({ answer }) => answer === null)) return 0;
    return rule === "credit" ? sigmoid(decision.credits[agent]) : 1;
  });
}

/** Whether a method's vote counts the answers of all rounds, and not the last ones alone. */
export const countsAllRounds = (method: string): boolean => settingsOf(method)?.ballots === "all";

const settingsOf = (method: string): Strategy["settings"] =>
  Object.hasOwn(strategies, method) ? (strategies[method as keyof typeof strategies] as Strategy).settings : undefined;
