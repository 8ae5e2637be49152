import { type Claim, meanOf, near, says, units } from "./workplace-claims.ts";
import { type Figures, methods, published, type Tier, teams, tiers } from "./workplace-figures.ts";

/*
 * What C2C publishes of time, understanding and team sizes (sections 4.2 and 4.3). Teams are of 1+4 agents where nothing else
 * is said.
 */

type Method = (typeof methods)[number];

const hours = (figures: Figures, tier: Tier, method: Method): number => meanOf(figures.row(tier, 4, { method }).hours);
const each = (values: readonly (readonly [name: string | number, value: string])[]): string =>
  values.map(([name, value]) => `${name} ${value}`).join(", ");

const main: readonly Claim[] = [
  ...(
    [
      ["c2c", 24.75, "hours"],
      ["no-communication", 33.5, "hours"],
      ["fixed-steps", 36.25, "itself"],
    ] as const
  ).map(([method, value, origin]) =>
    near(
      `complex, ${method}: hours`,
      "hours",
      value,
      "tenPercent",
      origin,
      (figures) => figures.row("complex", 4, { method }).hours,
    ),
  ),
  ...(
    [
      ["c2c", 1.62, "follows"],
      ["no-communication", 1.19, "follows"],
      ["fixed-steps", 1.1, "itself"],
    ] as const
  ).map(([method, value, origin]) =>
    near(
      `complex, ${method}: efficiency, 40 h / hours`,
      "factor",
      value,
      "tenPercent",
      origin,
      (figures) => figures.row("complex", 4, { method }).efficiency,
    ),
  ),
  fastest(
    "complex",
    "c2c < no-communication < fixed-steps",
    "follows",
    (c2c, none, fixed) => c2c < none && none < fixed,
  ),
  fastest("medium", "c2c is the fastest of the three", "itself", (c2c, none, fixed) => c2c < none && c2c < fixed),
  complete("every tier, the three published strategies: done within the tier's hours", published, [4], "inBudget"),
  complete("every tier, the three published strategies: finished within 40 h", published, [4], "completed"),
  complete("every tier and team, all five strategies: finished within 40 h", methods, teams, "completed"),
  ...(
    [
      ["medium", 0.68],
      ["complex", 0.55],
    ] as const
  ).flatMap(([tier, value]) => [
    near(
      `${tier}, c2c: final alignment`,
      "alignment",
      value,
      "alignment",
      "alignment",
      (figures) => figures.row(tier, 4).alignmentFinal,
    ),
    says(`${tier}: final alignment by strategy`, "c2c's is the highest of the three", "order", "itself", (figures) => {
      const values = published.map((method) => figures.row(tier, 4, { method }).alignmentFinal);
      return {
        here: each(published.map((method, i) => [method, units.alignment.show(values[i])])),
        holds: values.slice(1).every((other) => other < values[0]),
      };
    }),
  ]),
];

function fastest(
  tier: Tier,
  order: string,
  origin: "follows" | "itself",
  holds: (...hours: readonly number[]) => boolean,
): Claim {
  return says(`${tier}: hours by strategy`, order, "order", origin, (figures) => {
    const values = published.map((method) => hours(figures, tier, method));
    return { here: each(published.map((method, i) => [method, units.hours.show(values[i])])), holds: holds(...values) };
  });
}

function complete(
  what: string,
  who: readonly Method[],
  sizes: readonly number[],
  share: "completed" | "inBudget",
): Claim {
  return says(what, "100 %", "exact", "itself", (figures) => {
    const rows = tiers.flatMap((tier) =>
      sizes.flatMap((workers) => who.map((method) => figures.row(tier, workers, { method }))),
    );
    const broken = rows.filter((row) => row[share] < 1);
    const least = Math.min(...rows.map((row) => row[share]));
    const names = broken.map(
      (row) => `${row.method}, ${row.tier}, 1+${row.workers} ${(100 * row[share]).toFixed(1)} %`,
    );
    const but = broken.length === 0 ? "" : ` (${names.join("; ")})`;
    return {
      here: `100 % in ${rows.length - broken.length} of ${rows.length} cells${but}`,
      difference: least === 1 ? "0" : units.share.difference(least, 1),
      holds: broken.length === 0,
    };
  });
}

const closed: readonly Claim[] = (
  [
    [4, [6.75, 20, 33.5]],
    [8, [3.5, 10, 16.75]],
    [16, [1.75, 5, 8.5]],
  ] as const
).flatMap(([workers, expected]) =>
  tiers.map((tier, t) => {
    const claim = near(
      `${tier}, 1+${workers}, equal shares without edges, no-communication: hours`,
      "hours",
      expected[t],
      "exact",
      "closed",
      (figures) => figures.row(tier, workers, { method: "no-communication", decomposition: "equal" }).hours,
    );
    return tier === "complex" && workers === 4 ? claim : { ...claim, published: `${claim.published} (follows)` };
  }),
);

const sizes: readonly Claim[] = [
  near(
    "medium, 1+8, c2c: hours, one task",
    "hours",
    11.25,
    "fifteenPercent",
    "medium",
    (figures) => figures.row("medium", 8).hours,
  ),
  near(
    "medium, 1+8, c2c: hours, two tasks at once",
    "hours",
    21,
    "fifteenPercent",
    "medium",
    (figures) => figures.row("medium", 8, { tasks: 2 }).hours,
  ),
  near(
    "medium, 1+8, c2c: growth of hours from one task to two",
    "growth",
    0.87,
    "tenPointsAdded",
    "follows",
    (figures) => meanOf(figures.row("medium", 8, { tasks: 2 }).hours) / meanOf(figures.row("medium", 8).hours) - 1,
  ),
  ...tiers.flatMap((tier) => [
    near(
      `${tier}, c2c: speed-up at 17 agents against 5`,
      "factor",
      1.95,
      "fifteenPercentAdded",
      "itself",
      (figures) => speedUps(figures, tier)[2],
    ),
    says(
      `${tier}, c2c: what each step of team size adds to the speed-up`,
      "less than the step before, 17 agents fastest",
      "order",
      "itself",
      (figures) => {
        const [five, nine, seventeen] = speedUps(figures, tier);
        return {
          here: each([five, nine, seventeen].map((value, i) => [`${teams[i] + 1}:`, value.toFixed(2)])),
          holds: seventeen > nine && seventeen - nine < nine - five,
        };
      },
    ),
  ]),
  ...tiers.flatMap((tier) => [
    near(
      `${tier}, c2c: growth of communication hours from 5 to 17 agents`,
      "growth",
      0.86,
      "tenPointsAdded",
      "itself",
      (figures) => talk(figures, tier, 16) / talk(figures, tier, 4) - 1,
    ),
    says(
      `${tier}, c2c: communication hours by agents`,
      "grow less than the team (+240 %)",
      "order",
      "itself",
      (figures) => ({
        here: each(
          teams.map((workers) => [`${workers + 1}:`, withInterval(figures.row(tier, workers).communicationHours)]),
        ),
        holds: talk(figures, tier, 16) / talk(figures, tier, 4) < 17 / 5,
      }),
    ),
  ]),
];

const speedUps = (figures: Figures, tier: Tier): number[] =>
  teams.map((workers) => meanOf(figures.row(tier, 4).hours) / meanOf(figures.row(tier, workers).hours));
const talk = (figures: Figures, tier: Tier, workers: number): number =>
  figures.row(tier, workers).communicationHours.mean;
const withInterval = ({
  mean,
  low,
  high,
}: {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
}): string => `${mean.toFixed(2)} h [${low.toFixed(2)}, ${high.toFixed(2)}]`;

export const hoursClaims = {
  "Time and understanding": main,
  "Team sizes and several tasks": sizes,
  "Closed forms": closed,
};
