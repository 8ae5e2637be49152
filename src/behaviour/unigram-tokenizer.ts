/** A piece of a vocabulary, with its log-probability. */
export interface Piece {
  readonly text: string;
  readonly score: number;
}

/** Splits a text into the ids of its pieces. Words are marked at their start, as sentencepiece does. */
export type Tokenizer = (text: string) => number[];

const wordStart = "▁";
/** The first entries stand for control symbols and are never matched in text; entry 0 is the unknown piece. */
const reserved = 6;

/**
 * A sentencepiece unigram tokenizer: of all ways to cut the text into pieces the one with the highest sum of scores
 * (Kudo 2018; Viterbi). Text is brought to NFKC, runs of white space become one word mark. A character in no piece is
 * unknown and costs ten more than the rarest piece; neighbouring unknown ones become one.
 * @param vocabulary pieces by id
 */
export function createUnigramTokenizer(vocabulary: readonly Piece[]): Tokenizer {
  const ids = new Map<string, number>();
  let longest = 1;
  let unknownScore = 0;
  for (let id = reserved; id < vocabulary.length; id++) {
    const { text, score } = vocabulary[id];
    if (!ids.has(text)) ids.set(text, id);
    longest = Math.max(longest, Array.from(text).length);
    unknownScore = Math.min(unknownScore, score - 10);
  }

  return (text) => {
    const words = text.normalize("NFKC").trim().split(/\s+/u);
    if (words[0] === "") return [];
    const symbols = Array.from(wordStart + words.join(wordStart));
    // best[e]: the highest score of symbols[0..e); it ends with piece lastId[e], which starts at lastStart[e].
    const best = new Float64Array(symbols.length + 1).fill(-Infinity);
    const lastId = new Int32Array(symbols.length + 1);
    const lastStart = new Int32Array(symbols.length + 1);
    best[0] = 0;
    for (let start = 0; start < symbols.length; start++) {
      offer(start, start + 1, 0, unknownScore);
      let piece = "";
      for (let end = start + 1; end <= Math.min(symbols.length, start + longest); end++) {
        piece += symbols[end - 1];
        const id = ids.get(piece);
        if (id !== undefined) offer(start, end, id, vocabulary[id].score);
      }
    }
    function offer(start: number, end: number, id: number, score: number): void {
      if (best[start] + score <= best[end]) return;
      best[end] = best[start] + score;
      lastId[end] = id;
      lastStart[end] = start;
    }
    const path: number[] = [];
    for (let end = symbols.length; end > 0; end = lastStart[end]) {
      if (lastId[end] !== 0 || path.at(-1) !== 0) path.push(lastId[end]);
    }
    return path.reverse();
  };
}
