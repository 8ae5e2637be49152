import { createRng, type Rng } from "../../src/base/rng.ts";
import type { Difference, Estimate, WorkplaceComparison, WorkplaceRow } from "../../src/contracts/workplace/results.ts";
import type { ShownWorkplaceEpisode, WorkplaceReportData } from "../../src/report/workplace/report-data.ts";

const methods = ["learned", "c2c", "no-communication", "fixed-steps", "unconstrained"];
const step = 0.25;

/** Rows of every method in cells of three tiers and three sizes of teams, and with adversaries on the complex tier. */
export function sampleRows(): WorkplaceRow[] {
  const budgets = { simple: 8, medium: 24, complex: 40 } as const;
  const cells = (["simple", "medium", "complex"] as const).flatMap((tier) =>
    [4, 8, 16].flatMap((workers) =>
      [0, ...(tier === "complex" ? [1] : [])].map((adversaries) => ({ tier, workers, adversaries })),
    ),
  );
  return cells.flatMap(({ tier, workers, adversaries }) =>
    methods.map((method, k): WorkplaceRow => {
      const rng = createRng(`row ${tier} ${workers} ${adversaries} ${method}`);
      const budget = budgets[tier];
      const hours = [0.56, 0.62, 0.84, 0.91, 0.75][k] * budget * (4 / workers) ** 0.7 * (1 + 0.08 * adversaries);
      const talk = method === "no-communication" ? 0 : [5, 6, 0, 6, 14][k] * (workers / 4) ** 0.5 * (budget / 40);
      return {
        ...{
          tier,
          workers,
          tasks: 1,
          decomposition: "adaptive",
          adversaries,
          attack: adversaries === 0 ? "none" : "mislead",
        },
        ...{
          onset: adversaries === 0 ? "" : "1",
          method,
          n: 50,
          inBudget: 0.9,
          completed: k === 4 && tier === "complex" ? 0.96 : 1,
        },
        ...{
          hours: estimate(hours, rng),
          communicationHours: estimate(talk, rng),
          communicationShare: talk / (hours * (workers + 1)),
        },
        ...{
          alignmentFinal: 0.56,
          alignmentMean: 0.44,
          efficiency: budget / hours,
          productivity: budget / (hours * (workers + 1)),
        },
        ...{
          utilisation: 0.8,
          clarity: 0.87,
          subtasks: 16,
          reassigned: 1.2,
          meetingsHeld: talk / 3,
          faults: 0,
          malformed: 0,
          hub: 0.4,
        },
        messages: {
          help_request: talk * 2,
          need_clarification: talk * 0.5,
          meeting_invite: talk * 0.3,
          progress_update: method === "fixed-steps" ? 8 : talk * 0.4,
          reply: talk * 2.2,
        },
        channels: { chat: talk * 3, email: talk * 1.5, meeting: talk * 0.3 },
        gains: {
          help_request: { count: 40, mean: talk === 0 ? null : 0.15 },
          need_clarification: { count: 9, mean: talk === 0 ? null : 0.12 },
          meeting_invite: { count: 5, mean: talk === 0 ? null : 0.27 },
        },
        responses: {
          chat: { count: 30, mean: 2 * step },
          email: { count: 10, mean: 4 * step },
          meeting: { count: 5, mean: 3 * step },
        },
      };
    }),
  );
}

function estimate(mean: number, rng: Rng): Estimate {
  const half = mean * (0.02 + 0.04 * rng.uniform());
  return { mean, low: mean - half, high: mean + half };
}

/** The learned method against the others, cell by cell. */
export function sampleComparisons(rows: readonly WorkplaceRow[]): WorkplaceComparison[] {
  const difference = (a: Estimate, b: Estimate): Difference => ({
    mean: a.mean - b.mean,
    low: a.low - b.high,
    high: a.high - b.low,
    p: 0.0004,
  });
  return rows
    .filter(({ method }) => method === "learned")
    .flatMap((own) =>
      rows
        .filter(
          (row) =>
            row.method !== "learned" &&
            row.tier === own.tier &&
            row.workers === own.workers &&
            row.adversaries === own.adversaries,
        )
        .map((row) => {
          const { tier, workers, tasks, decomposition, adversaries, attack, onset } = own;
          return {
            ...{
              tier,
              workers,
              tasks,
              decomposition,
              adversaries,
              attack,
              onset,
              method: "learned",
              reference: row.method,
              pairs: 50,
            },
            hours: difference(own.hours!, row.hours!),
            communicationHours: difference(own.communicationHours, row.communicationHours),
          };
        }),
    );
}

/** A whole report. */
export function sampleWorkplaceReport(episodes: readonly ShownWorkplaceEpisode[]): WorkplaceReportData {
  const rows = sampleRows();
  return {
    title: "Workplace: five strategies, three tiers",
    headline: [
      "On the complex tier the learned policy finished in 22.4 h, c2c in 24.8 h [difference −2.4 h, interval −3.1 to −1.7].",
      "It spent no more time on communication.",
    ],
    command: "colloquy evaluate workplace --seeds 5",
    facts: [["Seeds", "0 to 4"]],
    rows,
    comparisons: sampleComparisons(rows),
    episodes: { note: `${episodes.length} episodes were kept: the first of each cell.`, episodes },
  };
}
