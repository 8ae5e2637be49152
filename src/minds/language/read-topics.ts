import { contentWords, splitSentences } from "./words.ts";

/** So many further words have to be said about a topic. */
const fewestWords = 6;

/** Whoever says this explains nothing. */
const ignorance =
  /\b(?:(?:do|does|did) not|don't|doesn't|didn't|cannot|can't|am not|i'm not|never) (?:really |yet )?(?:know|sure|say|help|explain|answer|tell)\b|\bno idea\b|\bask (?:somebody|someone) else\b/i;

/**
 * Which topics a text explains, in the order they were asked. A topic is named by a sentence that holds all its words
 * (see `contentWords`); what follows is about it until other topics are named. It is explained where that passage has at
 * least six further words outside questions and outside sentences that say one does not know. Simple on purpose [ours]: it
 * sees which words were said, never whether they are true.
 */
export function readTopics(text: string, topics: readonly string[]): string[] {
  const asked = topics.map((topic) => ({ topic, words: new Set(contentWords(topic)) }));
  const named = new Set(asked.flatMap(({ words }) => [...words]));
  const said = new Map<string, number>();
  let current: readonly string[] = [];
  for (const sentence of splitSentences(text)) {
    const words = contentWords(sentence);
    const held = new Set(words);
    const here = asked.filter(({ words }) => words.size > 0 && [...words].every((word) => held.has(word)));
    if (here.length > 0) current = here.map(({ topic }) => topic);
    if (/[?？]\s*$/u.test(sentence) || ignorance.test(sentence.replaceAll("’", "'"))) continue;
    const further = words.filter((word) => !named.has(word)).length;
    for (const topic of current) said.set(topic, (said.get(topic) ?? 0) + further);
  }
  return [...new Set(topics)].filter((topic) => (said.get(topic) ?? 0) >= fewestWords);
}
