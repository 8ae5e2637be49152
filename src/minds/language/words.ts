/** Words that carry no topic. */
const smallWords = new Set("a an and as at by for from in is it of on or the to with".split(" "));

/**
 * How many words a text has, for what it costs. Scripts without spaces, and texts that leave them out, count one for every
 * twelve characters.
 */
export const countWords = (text: string): number => {
  const trimmed = text.trim();
  return trimmed === "" ? 0 : Math.max(trimmed.split(/\s+/u).length, Math.ceil(trimmed.length / 12));
};

/** The words that say what a text is about: in lower case, without small words and without the s of a plural. */
export const contentWords = (text: string): string[] =>
  (
    text
      .normalize("NFKC")
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  )
    .filter((word) => !smallWords.has(word))
    .map((word) => (/^[a-z]{3,}s$/.test(word) && !word.endsWith("ss") ? word.slice(0, -1) : word));

/** Sentences and lines of a text, in order; the dot in `3.14` ends none. */
export const splitSentences = (text: string): string[] =>
  text
    .split(/(?<=[.!?])(?=\s)|(?<=[。？！])|\n/u)
    .map((sentence) => sentence.trim())
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence));
