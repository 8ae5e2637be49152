import { groupBy } from "../../../base/group-by.ts";
import { count } from "../../page/wording.ts";
import type { ShownWorkplaceEpisode } from "../report-data.ts";

/** One project, seed and attack under one or more methods. */
export interface EpisodeGroup {
  readonly name: string;
  readonly episodes: readonly ShownWorkplaceEpisode[];
}

/** Episodes that differ by their method alone stand together, in the order in which they came. */
export const groupEpisodes = (episodes: readonly ShownWorkplaceEpisode[]): EpisodeGroup[] =>
  [...groupBy(episodes, groupName)].map(([name, own]) => ({ name, episodes: own }));

function groupName({ record }: ShownWorkplaceEpisode): string {
  const { tier, workers, doneAt, attack, question, seed, sample } = record;
  const team = `${tier}, ${count(workers, "worker")}${doneAt.length === 1 ? "" : `, ${doneAt.length} tasks`}`;
  const foes = attack.adversaries === 0 ? "" : `, ${attack.adversaries} × ${attack.kind} (onset ${attack.onset})`;
  return `${team}${foes} · ${question} · seed ${seed}${sample === 0 ? "" : `, sample ${sample}`}`;
}
