/** A sentence or line of a text: `[from, to)`. */
export interface Sentence {
  readonly from: number;
  readonly to: number;
  readonly isQuestion: boolean;
}

/** The sentences of a text in order; a line end ends one, the dot in `3.14` does not. */
export function findSentences(text: string): Sentence[] {
  const sentences: Sentence[] = [];
  let from = 0;
  for (const match of text.matchAll(/[.!?。？！]+(?=[\s)\]]|$)|\n/g)) {
    const to = match.index + match[0].length;
    sentences.push({ from, to, isQuestion: /[?？]/.test(match[0]) });
    from = to;
  }
  if (from < text.length) sentences.push({ from, to: text.length, isQuestion: false });
  return sentences;
}
