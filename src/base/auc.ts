/** Pairs of one positive and one negative, and how many of them are in the right order; a tie counts one half. */
export interface Concordance {
  readonly concordant: number;
  readonly pairs: number;
}

/**
 * Counts the pairs in which the positive has the higher score (Mann-Whitney's U), by ranks in O(n log n). Counts of
 * several groups may be added: their quotient is then an AUC that compares within groups only.
 */
export function countConcordant(positives: readonly number[], negatives: readonly number[]): Concordance {
  const all = [...positives, ...negatives].sort((a, b) => a - b);
  const rankOf = new Map<number, number>();
  for (let start = 0; start < all.length; ) {
    let end = start + 1;
    while (end < all.length && all[end] === all[start]) end++;
    // 1-based ranks start+1..end, shared by those that are equal.
    rankOf.set(all[start], (start + 1 + end) / 2);
    start = end;
  }
  let ranks = 0;
  for (const score of positives) ranks += rankOf.get(score)!;
  return {
    concordant: ranks - (positives.length * (positives.length + 1)) / 2,
    pairs: positives.length * negatives.length,
  };
}

/** Area under the ROC curve: the chance that a positive scores above a negative. `null` when one kind is missing. */
export function auc(positives: readonly number[], negatives: readonly number[]): number | null {
  const { concordant, pairs } = countConcordant(positives, negatives);
  return pairs === 0 ? null : concordant / pairs;
}
