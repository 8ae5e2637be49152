import type { Figures, Row } from "./workplace-figures.ts";
import { type Origin, origins } from "./workplace-origins.ts";

/** What came out beside what is published. */
export interface Finding {
  readonly here: string;
  readonly difference: string;
  readonly holds: boolean;
  /** What `here` shows, unrounded, where it is one number. */
  readonly value?: number;
  readonly low?: number;
  readonly high?: number;
}

/** One line of the table beside C2C's. */
export interface Claim {
  readonly what: string;
  readonly published: string;
  readonly tolerance: string;
  readonly origin: Origin;
  judge(figures: Figures): Finding;
}

/** How numbers of one kind are shown and compared. */
interface Unit {
  show(value: number): string;
  /** Of a difference, its sign apart. */
  difference(value: number, published: number): string;
}

const fixed = (value: number): string => value.toFixed(2).replace(/^(-?)0\./, "$1.");
const signed = (text: string): string => {
  const sign = Number(text) === 0 ? "±" : text.startsWith("-") ? "−" : "+";
  return `${sign}${text.replace("-", "")}`;
};
const relative = (value: number, published: number): string =>
  `${signed((100 * (value / published - 1)).toFixed(1))} %`;

export const units = {
  hours: {
    show: (value) => `${value.toFixed(2)} h`,
    difference: (value, other) => `${signed((value - other).toFixed(2))} h (${relative(value, other)})`,
  },
  factor: {
    show: (value) => value.toFixed(2),
    difference: (value, other) => `${signed((value - other).toFixed(2))} (${relative(value, other)})`,
  },
  alignment: { show: fixed, difference: (value, other) => signed(fixed(value - other)) },
  share: {
    show: (value) => `${(100 * value).toFixed(0)} %`,
    difference: (value, other) => `${signed((100 * (value - other)).toFixed(1))} points`,
  },
  growth: {
    show: (value) => `${signed((100 * value).toFixed(0))} %`,
    difference: (value, other) => `${signed((100 * (value - other)).toFixed(1))} points`,
  },
} as const satisfies Record<string, Unit>;

/** What a number may differ by: a share of the published one, or an amount. The added ones came with this table, the others before the world was built. */
interface Tolerance {
  readonly kind: "relative" | "absolute";
  readonly most: number;
  readonly text: string;
}

export const within = {
  tenPercent: { kind: "relative", most: 0.1, text: "10 %" },
  fifteenPercent: { kind: "relative", most: 0.15, text: "15 %" },
  fifteenPercentAdded: { kind: "relative", most: 0.15, text: "15 % (added)" },
  alignment: { kind: "absolute", most: 0.05, text: ".05" },
  alignmentAdded: { kind: "absolute", most: 0.05, text: ".05 (added)" },
  tenPoints: { kind: "absolute", most: 0.1, text: "10 points" },
  tenPointsAdded: { kind: "absolute", most: 0.1, text: "10 points (added)" },
  exact: { kind: "absolute", most: 0, text: "exact" },
} as const satisfies Record<string, Tolerance>;

/** A mean with its interval, or a number without one; `null` where there was nothing to measure. */
type Measured = NonNullable<Row["hours"]> | number | null;

/** A number that is to come near a published one. */
export function near(
  what: string,
  unit: keyof typeof units,
  published: number,
  tolerance: keyof typeof within,
  origin: Origin,
  measure: (figures: Figures) => Measured,
): Claim {
  const { show, difference }: Unit = units[unit];
  const { kind, most, text }: Tolerance = within[tolerance];
  return {
    what,
    published: show(published),
    tolerance: text,
    origin,
    judge(figures) {
      const measured = measure(figures);
      if (measured === null) return { here: "nothing to measure", difference: "–", holds: false };
      const { mean, ...interval } = typeof measured === "number" ? { mean: measured } : measured;
      const [low, high] = "low" in interval ? [interval.low, interval.high] : [];
      const range = low === undefined || high === undefined ? "" : ` [${low.toFixed(2)}, ${high.toFixed(2)}]`;
      const apart = Math.abs(mean - published) / (kind === "relative" ? published : 1);
      // Exact means every episode, not their mean alone.
      const isExact = most > 0 || (low === published && high === published);
      return {
        here: `${show(mean)}${range}`,
        difference: mean === published ? "0" : difference(mean, published),
        // 1e-9: that rounding of binary fractions does not count.
        holds: apart <= most + 1e-9 && isExact,
        value: mean,
        ...interval,
      };
    },
  };
}

/** Something that is to hold, whatever the numbers. */
export function says(
  what: string,
  published: string,
  tolerance: string,
  origin: Origin,
  judge: (figures: Figures) => Pick<Finding, "here" | "holds"> & { readonly difference?: string },
): Claim {
  return { what, published, tolerance, origin, judge: (figures) => ({ difference: "–", ...judge(figures) }) };
}

/** Values that are to rise (or fall) one after the other. */
export const isRising = (values: readonly number[]): boolean =>
  values.every((value, i) => i === 0 || value > values[i - 1]);
export const isFalling = (values: readonly number[]): boolean => isRising(values.toReversed());

/** The mean of an estimate; NaN, which no comparison holds for, where there was nothing to measure. */
export const meanOf = (estimate: { readonly mean: number | null } | null): number => estimate?.mean ?? Number.NaN;

/** A claim judged: one line of `published.json`. */
export interface Judged extends Finding {
  readonly what: string;
  readonly published: string;
  readonly tolerance: string;
  readonly came: string;
  readonly origin: Origin;
  readonly verdict: "holds" | "missed";
}

export const judgeClaims = (claims: readonly Claim[], figures: Figures): Judged[] =>
  claims.map(({ what, published, tolerance, origin, judge }) => {
    const finding = judge(figures);
    const verdict = finding.holds ? "holds" : "missed";
    return { what, published, ...finding, tolerance, came: origins[origin].came, origin, verdict };
  });
