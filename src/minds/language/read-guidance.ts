import { cutText } from "../../base/quote-text.ts";
import type { Guidance } from "../../contracts/workplace/message.ts";
import { readTopics } from "./read-topics.ts";
import { countWords, splitSentences } from "./words.ts";

/** The most characters of a message that are kept. */
export const longestText = 2000;

/** What a mind says that has nothing to say. */
export const noGuidance: Guidance = { covers: [], clarity: 0, words: 0 };

/** A text as guidance on topics: what it explains and how clear it is are read from its words, never from its claims. */
export function readGuidance(said: string, topics: readonly string[]): Guidance {
  const text = cutText(said.trim(), longestText);
  const covers = readTopics(text, topics);
  return { covers, clarity: measureClarity(text, covers.length, topics.length), words: countWords(text), text };
}

const verbs =
  "add|allow|apply|build|call|change|check|choose|compare|configure|copy|create|define|disable|drop|enable|ensure|give|handle|issue|keep|limit|list|log|make|map|mark|move|open|pass|put|read|reject|remove|rename|replace|restart|return|rotate|run|save|send|set|show|sort|start|stop|store|test|treat|turn|update|use|verify|wait|wrap|write";

/** Says what to do: an instruction at the beginning of a clause, a number, a piece of code, a reason or an example. */
const concrete = new RegExp(
  `(?:^|[:;,] )(?:[-*•] )?(?:please |you (?:can|should|must|need to|have to) |always |never |first,? |then,? |next,? |finally,? )?(?:${verbs})\\b|\\p{N}|\`[^\`]+\`|\\w\\(\\)|\\b(?:because|so that|for example)\\b`,
  "iu",
);

/**
 * How clear and actionable a text is, in thousandths [ours]: up to 400 for the share of its sentences that have 4 to 25
 * words, up to 300 for the share that is concrete (all of it from one half on), and up to 300 for the share of the topics
 * that it explains. A text without words has 0.
 */
export function measureClarity(text: string, covered: number, asked: number): number {
  const sentences = splitSentences(text);
  if (sentences.length === 0) return 0;
  const share = (holds: (sentence: string) => boolean): number => sentences.filter(holds).length / sentences.length;
  const readable = share((sentence) => {
    const words = countWords(sentence);
    return words >= 4 && words <= 25;
  });
  const actionable = Math.min(1, 2 * share((sentence) => concrete.test(sentence)));
  return Math.round(400 * readable + 300 * actionable + 300 * (asked === 0 ? 0 : Math.min(1, covered / asked)));
}
