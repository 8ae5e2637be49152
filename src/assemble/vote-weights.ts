import { sigmoid } from "../base/sigmoid.ts";
import type { EpisodeRecord } from "../contracts/trace.ts";
import { type Strategy, strategies } from "../environments/index.ts";
import type { Recipe } from "./recipe.ts";

/**
 * How much each agent's voice weighed in the vote of an episode, by index: σ(c) or 1 by the method's rule (times its
 * ballots, where answers of all rounds count), 0 where it had no voice or no readable answer.
 * @param method a name of the table, or a learner by any other name, which votes as the recipe says
 */
export function voteWeights(record: EpisodeRecord, method: string, recipe: Pick<Recipe, "vote"> | null): number[] {
  const settings = Object.hasOwn(strategies, method)
    ? (strategies[method as keyof typeof strategies] as Strategy).settings
    : undefined;
  const rule = settings?.vote ?? recipe?.vote.rule ?? "credit";
  const voters = settings?.voters ?? recipe?.vote.voters ?? "all";
  const decision = record.outcome === "failed" ? undefined : record.decisions.at(-1);
  return record.onsets.map((_, agent) => {
    if (decision === undefined || (voters === "participants" && decision.participants[agent] !== 1)) return 0;
    const ballots = countBallots(record, agent, settings?.ballots ?? "last");
    return ballots === 0 ? 0 : ballots * (rule === "credit" ? sigmoid(decision.credits[agent]) : 1);
  });
}

/** Readable answers of an agent: of all rounds, or its last word alone. Who made no call keeps its last word. */
function countBallots({ rounds }: EpisodeRecord, agent: number, ballots: "last" | "all"): number {
  const said = rounds.flatMap((round) => round[agent] ?? []);
  if (ballots === "all") return said.filter(({ answer }) => answer !== null).length;
  return said.length > 0 && said[said.length - 1].answer !== null ? 1 : 0;
}
