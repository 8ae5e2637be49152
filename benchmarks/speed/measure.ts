import { systemClock } from "../../src/base/clock.ts";
import { quantile, sum } from "../../src/base/stats.ts";

/** One measured number. `×`, `exponent` and `%` mean about the same on every machine; the others do not. */
export interface Row {
  readonly name: string;
  /** `null`: not measured here, for the reason in `note`. */
  readonly value: number | null;
  readonly unit: "×" | "exponent" | "%" | "ms" | "s" | "per s" | "MB" | "lines";
  readonly note?: string;
}

export interface Benchmark {
  /** What is measured, in a sentence. */
  readonly summary: string;
  run(options: { readonly bank?: string }): Promise<Row[]>;
}

/** Whether a row says something about the code rather than about the machine. */
export const isRelative = ({ unit }: Row): boolean => unit === "×" || unit === "exponent" || unit === "%";

export const median = (values: readonly number[]): number => quantile(values, 0.5);

/**
 * The median time of one call of each work, in ms. The works take turns, so that what slows the machine down for a while
 * slows all of them; the first turn is thrown away, since it also pays for compilation.
 *
 * @param runs turns that count
 * @param runMs a turn repeats its work for at least this long, so that short ones are not below the clock's resolution
 */
export async function interleave<Name extends string>(
  works: Readonly<Record<Name, () => unknown>>,
  { runs = 11, runMs = 2 } = {},
): Promise<Record<Name, number>> {
  const names = Object.keys(works) as Name[];
  const timesMs = new Map(names.map((name): [Name, number[]] => [name, []]));
  for (let turn = 0; turn <= runs; turn++) {
    for (const name of names) {
      const callMs = await timeOf(works[name], runMs);
      if (turn > 0) timesMs.get(name)!.push(callMs);
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(timesMs.get(name)!)])) as Record<Name, number>;
}

async function timeOf(work: () => unknown, runMs: number): Promise<number> {
  const startedMs = systemClock.elapsedMs();
  let calls = 0;
  let spentMs: number;
  do {
    const result = work();
    if (result instanceof Promise) await result;
    calls++;
    spentMs = systemClock.elapsedMs() - startedMs;
  } while (spentMs < runMs);
  return spentMs / calls;
}

/** How y grows with x: the least-squares slope of log y over log x. */
export function growth(x: readonly number[], y: readonly number[]): number {
  const mean = (values: readonly number[]): number => sum(values) / values.length;
  const logX = x.map(Math.log);
  const logY = y.map(Math.log);
  const [meanX, meanY] = [mean(logX), mean(logY)];
  const covariance = mean(logX.map((value, k) => (value - meanX) * (logY[k] - meanY)));
  return covariance / mean(logX.map((value) => (value - meanX) ** 2));
}
