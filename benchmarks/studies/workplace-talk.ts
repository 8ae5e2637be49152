import { type Claim, isFalling, isRising, meanOf, near, says, units } from "./workplace-claims.ts";
import { decompositions, type Figures, type Row, type Tier, teams, tiers } from "./workplace-figures.ts";

/*
 * What C2C publishes of who says what to whom, and of how tasks are cut (sections 4.3 to 4.5). c2c with teams of 1+4 agents
 * where nothing else is said.
 */

const requests = ["help_request", "need_clarification", "meeting_invite"] as const;
type Request = (typeof requests)[number];

const byTier = (values: readonly number[], show: (value: number) => string): string =>
  tiers.map((tier, t) => `${tier} ${Number.isNaN(values[t]) ? "none" : show(values[t])}`).join(", ");
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Share of a type among the requests. */
function mixOf(figures: Figures, tier: Tier, type: Request): number {
  const { messages } = figures.row(tier, 4);
  return messages[type] / sum(requests.map((request) => messages[request]));
}

const mix: readonly Claim[] = (
  [
    ["simple", "help_request", 0.66],
    ["simple", "need_clarification", 0.34],
    ["medium", "help_request", 0.83],
    ["medium", "meeting_invite", 0.08],
    ["complex", "help_request", 0.7],
    ["complex", "meeting_invite", 0.13],
  ] as const
).map(([tier, type, value]) =>
  near(`${tier}: ${type} among requests`, "share", value, "tenPoints", "mix", (figures) => mixOf(figures, tier, type)),
);

/** ΔAF of an answer, over the answers of all tiers. */
function gainOf(figures: Figures, type: Request): number | null {
  const gains = tiers.map((tier) => figures.row(tier, 4).gains[type]);
  const count = sum(gains.map((gain) => gain.count));
  return count === 0 ? null : sum(gains.map((gain) => gain.count * (gain.mean ?? 0))) / count;
}

const gains: readonly Claim[] = [
  near("all tiers: ΔAF of a meeting, for each who attends", "alignment", 0.27, "alignmentAdded", "gains", (figures) =>
    gainOf(figures, "meeting_invite"),
  ),
  near("all tiers: ΔAF of an answered help request", "alignment", 0.15, "alignmentAdded", "gains", (figures) =>
    gainOf(figures, "help_request"),
  ),
  near("all tiers: ΔAF of a progress update", "alignment", 0, "alignmentAdded", "rule", () => 0),
];

type Channel = keyof Row["channels"];

const channelShares = (figures: Figures, channel: Channel): number[] =>
  tiers.map((tier) => {
    const { channels } = figures.row(tier, 4);
    return channels[channel] / sum(Object.values(channels));
  });
const responses = (figures: Figures, channel: Channel): number[] =>
  tiers.map((tier) => meanOf(figures.row(tier, 4).responses[channel]));

/** Hours between the slowest and the fastest tier that count as flat: one step of the clock. */
const step = 0.25;

const channels: readonly Claim[] = [
  says("share of messages by chat", "falls with the tier", "order", "itself", (figures) => {
    const shares = channelShares(figures, "chat");
    return { here: byTier(shares, units.share.show), holds: isFalling(shares) };
  }),
  says("share of messages by email", "grows with the tier", "order", "itself", (figures) => {
    const shares = channelShares(figures, "email");
    return { here: byTier(shares, units.share.show), holds: isRising(shares) };
  }),
  ...(["chat", "email"] as const).map((channel) =>
    says(
      `hours to an answer by ${channel}`,
      "about the same in all tiers",
      "one step, .25 h (added)",
      "itself",
      (figures) => {
        const hours = responses(figures, channel);
        const spread = Math.max(...hours) - Math.min(...hours);
        return {
          here: byTier(hours, units.hours.show),
          difference: Number.isNaN(spread) ? "–" : `${spread.toFixed(2)} h apart`,
          holds: spread <= step,
        };
      },
    ),
  ),
  says("hours from an invitation to its meeting", "grow with the tier", "order", "itself", (figures) => {
    // Where nobody meets there is nothing to wait for.
    const hours = responses(figures, "meeting");
    const known = hours.filter((value) => !Number.isNaN(value));
    return { here: byTier(hours, units.hours.show), holds: known.length > 1 && isRising(known) };
  }),
  ...teams.map((workers) =>
    says(`1+${workers}: messages an hour by tier`, "grow with the tier", "order", "itself", (figures) => {
      const rates = tiers.map((tier) => figures.row(tier, workers).messagesPerHour);
      return { here: byTier(rates, units.factor.show), holds: isRising(rates) };
    }),
  ),
  ...tiers.map((tier) =>
    says(`${tier}: messages an hour by agents`, "grow with the team", "order", "itself", (figures) => {
      const rates = teams.map((workers) => figures.row(tier, workers).messagesPerHour);
      return {
        here: teams.map((workers, i) => `${workers + 1}: ${rates[i].toFixed(2)}`).join(", "),
        holds: isRising(rates),
      };
    }),
  ),
  says(
    "complex: communication hours, c2c and fixed-steps",
    "comparable",
    "twice as much (added)",
    "itself",
    (figures) => {
      const [c2c, fixed] = [figures.row("complex", 4), figures.row("complex", 4, { method: "fixed-steps" })].map(
        ({ communicationHours }) => communicationHours.mean,
      );
      return {
        here: `${units.hours.show(c2c)} and ${units.hours.show(fixed)}`,
        difference: `${(c2c / fixed).toFixed(1)} times`,
        holds: c2c <= 2 * fixed && fixed <= 2 * c2c,
      };
    },
  ),
];

const hubs: readonly Claim[] = tiers.map((tier) =>
  says(`${tier}: who is at the hub, by agents`, "the manager", "in most episodes (added)", "itself", (figures) => {
    const counted = teams.map((workers) => figures.hub(tier, workers));
    const texts = counted.map(({ workers, share, first }) => {
      const index = units.alignment.show(figures.row(tier, workers).hub);
      return `${workers + 1}: index ${index}, the manager in ${units.share.show(first)} of episodes, with ${units.share.show(share)} of messages`;
    });
    return { here: texts.join("; "), holds: counted.every(({ first }) => first > 0.5) };
  }),
);

const cuts: readonly Claim[] = (
  [
    ["complex", 4],
    ["medium", 8],
  ] as const
).flatMap(([tier, workers]) => {
  const where = `${tier}, 1+${workers}`;
  const rows = (figures: Figures): Row[] =>
    decompositions.map((decomposition) => figures.row(tier, workers, { decomposition }));
  const highest = (what: string, measure: "clarity" | "alignmentFinal"): Claim =>
    says(`${where}: ${what} by decomposition`, "the adaptive one's is the highest", "order", "itself", (figures) => {
      const values = rows(figures).map((row) => row[measure]);
      return {
        here: decompositions.map((name, i) => `${name} ${units.alignment.show(values[i])}`).join(", "),
        holds: values.slice(1).every((other) => other < values[0]),
      };
    });
  return [
    highest("clarity of subtasks", "clarity"),
    highest("final alignment", "alignmentFinal"),
    says(
      `${where}: utilisation of workers by decomposition`,
      "the adaptive one's is above the naive one's",
      "order",
      "itself",
      (figures) => {
        const values = rows(figures).map(({ utilisation }) => utilisation);
        return {
          here: decompositions.map((name, i) => `${name} ${units.share.show(values[i])}`).join(", "),
          holds: values[0] > values[decompositions.indexOf("naive")],
        };
      },
    ),
    near(`${where}: utilisation, adaptive against naive`, "growth", 0.14, "tenPointsAdded", "itself", (figures) => {
      const [adaptive, , naive] = rows(figures);
      return adaptive.utilisation / naive.utilisation - 1;
    }),
  ];
});

export const talkClaims = {
  "What messages are for, and what they teach": [...mix, ...gains],
  "Channels and pace": channels,
  "Who talks to whom": hubs,
  "How tasks are cut": cuts,
};
