import type { EpisodeRecord } from "../../contracts/trace.ts";
import type { EpisodeBrowser, ShownEpisode } from "../report-data.ts";

/** The same episode under one method or several. */
export interface EpisodeGroup {
  /** Counts from 1 in the order of the report; addresses name it. */
  readonly number: number;
  readonly questionId: string;
  readonly question: string;
  /** Phase and attack, as the filter names it. */
  readonly cell: string;
  readonly episodes: readonly ShownEpisode[];
}

/** What a reader wants to see; an empty text asks for nothing. */
export interface Filter {
  readonly cell: string;
  readonly outcome: "" | EpisodeRecord["outcome"] | "differs";
  readonly method: string;
  readonly search: string;
}

export const noFilter: Filter = { cell: "", outcome: "", method: "", search: "" };

/** Episodes that share question, attack, seed, sample and branch and differ in method stand together. */
export function groupEpisodes({ episodes, questions }: EpisodeBrowser): EpisodeGroup[] {
  const groups = new Map<string, ShownEpisode[]>();
  for (const episode of episodes) {
    const { question, attack, seed, sample, branch } = episode.record;
    const { kind, adversaries, onset } = attack;
    const key = JSON.stringify([episode.phase, question, kind, adversaries, onset, seed, sample, branch ?? null]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [episode]);
    else group.push(episode);
  }
  return [...groups.values()].map((together, index) => {
    const { phase, record } = together[0];
    return {
      number: index + 1,
      questionId: record.question,
      question: Object.hasOwn(questions, record.question) ? questions[record.question].text : record.question,
      cell: `${phase}: ${nameAttack(record)}`,
      episodes: together,
    };
  });
}

/** `2 collude, onset uniform`. */
function nameAttack({ attack: { kind, adversaries, onset } }: EpisodeRecord): string {
  return adversaries === 0 ? "no attack" : `${adversaries} × ${kind}, onset ${onset}`;
}

/** The episode of a group under a method, or the first where the method was not played. */
export const underMethod = ({ episodes }: EpisodeGroup, method: string): ShownEpisode =>
  episodes.find((episode) => episode.method === method) ?? episodes[0];

/** The groups a filter lets through. Outcomes are those of the method asked for, else of the one that is shown. */
export function filterGroups(groups: readonly EpisodeGroup[], filter: Filter, shownMethod: string): EpisodeGroup[] {
  const { cell, outcome, method } = filter;
  const search = filter.search.trim().toLowerCase();
  return groups.filter((group) => {
    if (cell !== "" && group.cell !== cell) return false;
    if (method !== "" && !group.episodes.some((episode) => episode.method === method)) return false;
    if (outcome === "differs" && new Set(group.episodes.map(({ record }) => record.outcome)).size < 2) return false;
    if (outcome !== "" && outcome !== "differs" && underMethod(group, method || shownMethod).record.outcome !== outcome)
      return false;
    return (
      search === "" || group.question.toLowerCase().includes(search) || group.questionId.toLowerCase().includes(search)
    );
  });
}

/** Distinct values in order of appearance. */
export const cellsOf = (groups: readonly EpisodeGroup[]): string[] => [...new Set(groups.map(({ cell }) => cell))];
export const methodsOf = (groups: readonly EpisodeGroup[]): string[] => [
  ...new Set(groups.flatMap(({ episodes }) => episodes.map(({ method }) => method))),
];
