/**
 * Places for labels that stand one above the other: as near as can be to where they belong, at least `gap` apart, between
 * `top` and `bottom` where there is room.
 * @param wanted heights, in any order
 * @returns heights in the same order
 */
export function spreadLabels(wanted: readonly number[], gap: number, top: number, bottom: number): number[] {
  const order = wanted.map((_, index) => index).sort((a, b) => wanted[a] - wanted[b] || a - b);
  const placed = new Array<number>(wanted.length).fill(0);
  let before = Number.NEGATIVE_INFINITY;
  for (const index of order) {
    placed[index] = Math.max(wanted[index], top, before + gap);
    before = placed[index];
  }
  // What ran out below moves up, and pushes the ones above it.
  let after = bottom + gap;
  for (const index of order.toReversed()) {
    placed[index] = Math.min(placed[index], after - gap);
    after = placed[index];
  }
  return placed;
}
