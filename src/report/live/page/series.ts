/** The values of one key, in the order of updates. */
export interface Series {
  readonly steps: number[];
  readonly values: number[];
}

/** All numbers the page was sent, by key. */
export type AllSeries = Map<string, Series>;

export function addRow(all: AllSeries, step: number, values: readonly (readonly [string, number])[]): void {
  for (const [key, value] of values) {
    let series = all.get(key);
    if (series === undefined) {
      series = { steps: [], values: [] };
      all.set(key, series);
    }
    series.steps.push(step);
    series.values.push(value);
  }
}

export interface Point {
  readonly x: number;
  readonly y: number;
  readonly low?: number;
  readonly high?: number;
}

/** The series as at most `most` points: neighbours are put together as their mean. */
export function pointsOf(all: AllSeries, key: string, most: number): Point[] {
  const { steps, values } = all.get(key) ?? { steps: [], values: [] };
  const size = Math.max(1, Math.ceil(values.length / most));
  const points: Point[] = [];
  for (let start = 0; start < values.length; start += size) {
    const end = Math.min(values.length, start + size);
    let sum = 0;
    for (let i = start; i < end; i++) sum += values[i];
    // Where a piece ends, so that the last point stands at the last update.
    points.push({ x: steps[end - 1], y: sum / (end - start) });
  }
  return points;
}

/** What validations of the run's world are scored by. */
export const scoreKey = (all: AllSeries): string => (all.has("eval/utility") ? "eval/utility" : "eval/accuracy");

/** Validation scores, each with its 95 % interval; where there are more than `most`, every second, third, … and the last. */
export function validationPoints(all: AllSeries, most: number): Point[] {
  const { steps, values } = all.get(scoreKey(all)) ?? { steps: [], values: [] };
  const bounds = ["eval/low", "eval/high"].map((key) => all.get(key));
  const isBounded = bounds.every((bound) => bound?.values.length === values.length);
  const size = Math.max(1, Math.ceil(values.length / most));
  return values.flatMap((score, i) => {
    if ((values.length - 1 - i) % size !== 0) return [];
    const [low, high] = bounds.map((bound) => bound?.values[i]);
    return [{ x: steps[i], y: score, ...(isBounded ? { low, high } : {}) }];
  });
}
