import { existsSync } from "node:fs";
import { join } from "node:path";
import {
  checkRecipe,
  countsAllRounds,
  findWords,
  type Recipe,
  type SpokenWords,
  voteWeights,
} from "../../assemble/index.ts";
import { canonicalJson } from "../../base/json.ts";
import type { EpisodeRecord } from "../../contracts/trace.ts";
import { type CreditRow, profileCredits } from "../../evaluate/index.ts";
import { readJudged } from "../../report/files/read-judged.ts";
import { sampleEpisodes } from "../../report/files/sample-episodes.ts";
import { type FoundEpisode, fillBrowser } from "../../report/fill-browser.ts";
import type { EpisodeBrowser } from "../../report/report-data.ts";
import type { ReportSources } from "./sources.ts";

/** The episodes of a report. */
export interface ReportEpisodes {
  readonly browser: EpisodeBrowser;
  /** Credits in the last third of training. */
  readonly credits: readonly CreditRow[];
}

type WordsOf = (recipe: Recipe | null) => Promise<SpokenWords>;

/** Judged episodes first, then a sample of training; at most `mostBytes` in the page. */
export async function collectEpisodes(sources: ReportSources, mostBytes: number): Promise<ReportEpisodes> {
  const wordsOf = rememberWords();
  const judged = await judgedEpisodes(sources, wordsOf);
  const trained = await trainingEpisodes(sources, wordsOf);
  const notes = [...judged.notes, ...trained.notes];
  const found = [...judged.episodes, ...trained.episodes];
  return {
    browser: fillBrowser(found, found.length === 0 ? ["No episodes are at hand.", ...notes] : notes, mostBytes),
    credits: trained.credits,
  };
}

async function judgedEpisodes({ judged, recipe: trainedWith }: ReportSources, wordsOf: WordsOf) {
  if (judged === undefined) return { episodes: [], notes: [] };
  const { recipe: raw, episodes, skipped, beyond } = readJudged(judged);
  const recipe = recipeOf(raw, judged) ?? trainedWith;
  const words = await wordsOf(recipe);
  const methods = new Set(episodes.map(({ method }) => method)).size;
  return {
    episodes: episodes.map(({ method, record }) => found(method, "judging", record, recipe, words)),
    notes: [
      `${number(episodes.length)} judged episodes: the first starts of each attack setting, the same for all ${methods} methods.`,
      ...noteSkipped(skipped, "judged"),
      ...(beyond === 0
        ? []
        : [`${number(beyond)} more were kept; only the first ${number(episodes.length)} are read.`]),
      ...(words.missing === undefined ? [] : [words.missing]),
    ],
  };
}

function recipeOf(raw: unknown, path: string): Recipe | null {
  try {
    return raw === undefined ? null : checkRecipe(raw, path);
  } catch {
    return null;
  }
}

async function trainingEpisodes({ runs, recipe }: ReportSources, wordsOf: WordsOf) {
  const run = runs.find(({ name }) => name.startsWith("learned")) ?? runs[0];
  const path = run === undefined ? "" : join(run.folder, "episodes.jsonl");
  const profile = profileCredits();
  if (!existsSync(path)) return { episodes: [], notes: ["There are no training episodes."], credits: [] };
  const onRecord = (record: EpisodeRecord, third: number): void => {
    const { kind, adversaries, onset } = record.attack;
    const rate = Math.min(1, adversaries / record.onsets.length);
    if (third === 2) profile.add(record, "learned", { kind, adversaries, rate, onset });
  };
  const { records, total, skipped, torn } = sampleEpisodes(path, { onRecord });
  const words = await wordsOf(recipe);
  const whose = run.name === "" ? "" : ` of the run ${run.name}`;
  return {
    episodes: records.map((record) => found("learned", "training", record, recipe, words)),
    notes: [
      `${number(records.length)} of ${number(total)} training episodes${whose}: equally many of each third of training, attack and outcome, as far as there are, so their shares say nothing about accuracy.`,
      ...noteSkipped(skipped, "training"),
      ...(torn ? ["The last episode was not whole yet."] : []),
      ...(words.missing === undefined ? [] : [words.missing]),
    ],
    credits: profile.rows(),
  };
}

const found = (
  method: string,
  phase: FoundEpisode["phase"],
  record: EpisodeRecord,
  recipe: Recipe | null,
  { question, utterance }: SpokenWords,
): FoundEpisode => ({
  method,
  phase,
  record,
  weights: voteWeights(record, method, recipe),
  ...(countsAllRounds(method) ? { ballots: "all" } : {}),
  question,
  utterance,
});

const noteSkipped = (skipped: number, what: string): string[] =>
  skipped === 0 ? [] : [`${number(skipped)} lines of the ${what} episodes could not be read and are left out.`];

const nothing: SpokenWords = {
  question: () => undefined,
  utterance: () => undefined,
  missing: "What was asked and said is not at hand: there is no recipe that says where.",
};

/** Judging mostly asks what training asked: a bank is read once. */
function rememberWords(): WordsOf {
  const known = new Map<string, Promise<SpokenWords>>();
  return (recipe) => {
    if (recipe === null) return Promise.resolve(nothing);
    const { population, task } = recipe;
    const key = canonicalJson([population, task ?? null]);
    const words = known.get(key) ?? findWords({ population, task });
    known.set(key, words);
    return words;
  };
}

const number = (value: number): string => value.toLocaleString("en-US");
