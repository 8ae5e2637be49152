import { cutText } from "../base/cut-text.ts";
import { groupBy } from "../base/group-by.ts";
import type { Question } from "../contracts/task.ts";
import { optionLetter } from "../contracts/task.ts";
import { embedJson } from "./escape-html.ts";
import type { EpisodeBrowser, ShownEpisode, ShownQuestion } from "./report-data.ts";

/** An episode with where its words are found. */
export interface FoundEpisode extends ShownEpisode {
  question(id: string): Question | undefined;
  /** The words of a recorded utterance. */
  utterance(source: string): string | undefined;
}

/** Characters of a text, tried in turn until the episodes fit. */
const textLimits = [4000, 2000, 1000, 400];

/**
 * Puts the words into the episodes and brings those of one start together. Where they take more than `mostBytes`, texts
 * are cut shorter, then whole groups are left out, evenly; the note says so.
 * @param notes how the episodes were chosen, and what is missing
 */
export function fillBrowser(
  episodes: readonly FoundEpisode[],
  notes: readonly string[],
  mostBytes: number,
): EpisodeBrowser {
  const groups = [...groupBy(episodes, startOf).values()];
  for (const longest of textLimits) {
    const filled = groups.map((group) => group.map((episode) => showEpisode(episode, longest)));
    const questions = questionsOf(groups.flat(), longest);
    const sizes = filled.map((group) => Buffer.byteLength(embedJson(group)));
    const room = mostBytes - Buffer.byteLength(embedJson(questions));
    const total = sizes.reduce((sum, size) => sum + size, 0);
    if (total > room && longest !== textLimits[textLimits.length - 1]) continue;
    const kept = total <= room ? filled : thin(filled, sizes, room);
    const shown = kept.flat();
    const left = episodes.length - shown.length;
    const cut =
      longest === textLimits[0] ? "" : `Texts are cut at ${longest} characters, so that this file stays small.`;
    const dropped = left === 0 ? "" : `${left} of ${episodes.length} chosen episodes are left out for the same reason.`;
    const asked = new Set(shown.map(({ record }) => record.question));
    return {
      note: [...notes, cut, dropped].filter(Boolean).join(" "),
      questions: Object.fromEntries(questions.filter(([id]) => asked.has(id))),
      episodes: shown,
    };
  }
  throw new RangeError("no limit was tried");
}

/** What all methods share that play one episode. Runs and phases stay apart. */
const startOf = ({ phase, record }: FoundEpisode): string => {
  const { question, attack, seed, sample } = record;
  return JSON.stringify([phase, attack.kind, attack.adversaries, attack.onset, question, seed, sample]);
};

function showEpisode({ question: _, utterance, ...episode }: FoundEpisode, longest: number): ShownEpisode {
  const short = (text: string | null): string | null => (text === null ? null : cutText(text, longest));
  const { record } = episode;
  const rounds = record.rounds.map((round) =>
    round.map((said) => {
      if (said === null) return null;
      const text = said.text ?? (said.source === undefined ? undefined : utterance(said.source));
      return { ...said, answer: short(said.answer), ...(text === undefined ? {} : { text: cutText(text, longest) }) };
    }),
  );
  return {
    ...episode,
    // Four digits are more than a page shows; a small weight has them, too.
    weights: episode.weights.map((weight) => Number(weight.toPrecision(4))),
    record: {
      ...record,
      rounds,
      answer: short(record.answer),
      gold: short(record.gold),
      target: short(record.target),
      ...(record.right === undefined ? {} : { right: record.right.map((text) => cutText(text, longest)) }),
      ...(record.error === undefined ? {} : { error: cutText(record.error, longest) }),
    },
  };
}

function questionsOf(episodes: readonly FoundEpisode[], longest: number): [string, ShownQuestion][] {
  const shown = new Map<string, ShownQuestion>();
  for (const { record, question: find } of episodes) {
    const id = record.question;
    const question = find(id);
    if (question === undefined) {
      if (!shown.has(id)) shown.set(id, { text: `Question ${id}; its words are not at hand.`, options: [] });
      continue;
    }
    shown.set(id, {
      text: cutText(question.text, longest),
      options: question.options.map((text, index) => [optionLetter(index), cutText(text, longest)] as const),
    });
  }
  return [...shown];
}

/** As many groups as fit, spread evenly over all. */
function thin<T>(groups: readonly T[], sizes: readonly number[], room: number): T[] {
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const kept: T[] = [];
  let [seen, used] = [0, 0];
  groups.forEach((group, index) => {
    seen += sizes[index];
    // Behind its share by at least this group, and with room for it.
    if (used + sizes[index] > Math.max(0, room) || used > (seen * room) / total) return;
    kept.push(group);
    used += sizes[index];
  });
  return kept;
}
