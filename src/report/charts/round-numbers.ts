/** Tenths of a pixel are enough, and keep the bytes equal everywhere. */
export const round = (value: number): number => Math.round(value * 10) / 10;

/** The least of 1, 2 and 5 times a power of ten that goes into `range` no more than `count` times. */
export function roundStep(range: number, count: number): number {
  const rough = range / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  return power * ([1, 2, 5].find((factor) => factor * power >= rough) ?? 10);
}
