import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openWorkplace, workplaceRecipeSchema } from "../src/assemble/workplace/index.ts";
import type { Policy } from "../src/contracts/policy.ts";
import { runEpisode, workplaceStrategies } from "../src/environments/index.ts";
import { alignmentLines } from "../src/report/workplace/episode/alignment-lines.ts";
import { drawAlignment } from "../src/report/workplace/episode/draw-alignment.ts";
import { drawGantt } from "../src/report/workplace/episode/draw-gantt.ts";
import { drawPairs } from "../src/report/workplace/episode/draw-pairs.ts";
import { groupEpisodes } from "../src/report/workplace/episode/group-episodes.ts";
import { type Occupation, occupationRuns } from "../src/report/workplace/episode/occupation-runs.ts";
import { subtaskTable } from "../src/report/workplace/episode/subtask-table.ts";
import { traceRows } from "../src/report/workplace/episode/trace-rows.ts";
import { comparisonFigures } from "../src/report/workplace/sections/comparison-figures.ts";
import { messageFigures } from "../src/report/workplace/sections/message-figures.ts";
import { speedUpFigures, teamFigures } from "../src/report/workplace/sections/team-figures.ts";
import { renderWorkplaceReport } from "../src/report/workplace/sections/workplace-report.ts";
import { sampleEpisode } from "./support/workplace-sample.ts";
import { sampleComparisons, sampleRows, sampleWorkplaceReport } from "./support/workplace-sample-results.ts";

/** Everybody takes part in everything; the strategies played here ask no policy. */
const everybody: Policy = {
  name: "everybody",
  begin: ({ agents }) => ({
    act: () => ({ creditsN: new Float32Array(agents).fill(0.5), participantsN: new Uint8Array(agents).fill(1) }),
  }),
};

const episodes = fc
  .record({
    workers: fc.integer({ min: 3, max: 20 }),
    steps: fc.integer({ min: 1, max: 160 }),
    seed: fc.nat(1000),
    method: fc.constantFrom("learned", "c2c", "no-communication"),
    adversaries: fc.integer({ min: 0, max: 3 }),
  })
  .map(sampleEpisode);

describe("an episode of the workplace, read from its log", () => {
  it("gives every agent the occupations that its record counted, one at a time", () => {
    fc.assert(
      fc.property(episodes, (episode) => {
        const { occupancy } = episode.record;
        occupationRuns(episode).forEach((runs, agent) => {
          const counted = { work: 0, communicate: 0, reply: 0, meeting: 0, wait: 0 };
          runs.forEach(({ how, from, to }, k) => {
            counted[how] += to - from;
            expect(from).toBeGreaterThanOrEqual(runs[k - 1]?.to ?? 0);
          });
          for (const how of Object.keys(counted) as Occupation[]) expect(counted[how]).toBe(occupancy[how][agent]);
        });
      }),
      { numRuns: 40 },
    );
  });

  it("agrees with what the workplace itself counts", async () => {
    const world = openWorkplace(
      workplaceRecipeSchema.parse({ name: "report", world: "workplace-v1", projects: { test: 1 } }),
    );
    for (const strategy of ["c2c", "unconstrained", "fixed-steps"] as const) {
      const environment = world.environment(workplaceStrategies[strategy], { workers: 8, log: true });
      const [question] = world.testProjects({ tier: "complex", workers: 8, tasks: 1 });
      const attack = { kind: "mislead", adversaries: 1, onset: "first" };
      const record = await runEpisode(environment, everybody, { question, seed: 1, sample: 0, attack });
      const members = question.members.map(({ name }) => name);
      occupationRuns({ method: strategy, members, subtasks: [], record }).forEach((runs, agent) => {
        for (const how of ["work", "communicate", "reply", "meeting", "wait"] as const) {
          const steps = runs.filter((run) => run.how === how).reduce((sum, { from, to }) => sum + to - from, 0);
          expect({ how, agent, steps }).toEqual({ how, agent, steps: record.occupancy[how][agent] });
        }
      });
    }
  });

  it("draws AF forward in time, within its range, up to what was last learned", () => {
    fc.assert(
      fc.property(episodes, (episode) => {
        alignmentLines(episode).forEach(({ lines, lessons }, agent) => {
          for (const { points } of lines) {
            expect(points.map(([step]) => step)).toEqual(points.map(([step]) => step).sort((a, b) => a - b));
            for (const [, alignment] of points) expect(alignment >= 10 && alignment <= 1000).toBe(true);
          }
          const learned = (episode.record.events ?? []).filter((one) => one.kind === "learn" && one.agent === agent);
          expect(lessons.map(({ after }) => after)).toEqual(learned.map((one) => one.kind === "learn" && one.after));
          const line = lines.at(-1);
          const last = lessons.findLast(({ about }) => about === line?.about);
          if (last !== undefined) expect(line!.points.at(-1)![1]).toBe(last.after);
        });
      }),
      { numRuns: 40 },
    );
  });

  it("keeps every event in the trace: what goes on is one line from its first step to its last", () => {
    const episode = sampleEpisode({ workers: 6, steps: 80, text: "why?" });
    const events = episode.record.events!;
    const rows = traceRows(episode);
    const steps = (kind: "work" | "wait"): number =>
      rows.filter((row) => row.kind === kind).reduce((sum, { from, to }) => sum + to - from, 0);
    for (const kind of ["work", "wait"] as const)
      expect(steps(kind)).toBe(events.filter((event) => event.kind === kind).length);
    const others = events.filter(({ kind }) => kind !== "work" && kind !== "wait");
    expect(rows.filter(({ kind }) => kind !== "work" && kind !== "wait")).toHaveLength(others.length);
    expect(rows.length).toBeLessThan(events.length);
    for (const row of rows.filter(({ kind }) => kind === "reply")) {
      expect(row.quote).toBe("About that: why?");
      expect(row.agents).toHaveLength(2);
    }
  });

  it("groups episodes that differ by method alone, and lists subtasks with who had them", () => {
    const some = ["learned", "c2c"].flatMap((method) =>
      [0, 1].map((seed) => sampleEpisode({ workers: 4, steps: 40, method, seed })),
    );
    const groups = groupEpisodes(some);
    expect(groups.map((group) => group.episodes.map(({ method }) => method))).toEqual([
      ["learned", "c2c"],
      ["learned", "c2c"],
    ]);
    const { rows } = subtaskTable(some[0]);
    expect(rows).toHaveLength(12);
    expect(rows[1][1]).toBe("2 Chidi Okafor");
  });

  it("draws a lane for each of 50 agents, and marks adversaries", () => {
    const episode = sampleEpisode({ workers: 49, steps: 160, adversaries: 2 });
    for (const { names } of [drawGantt(episode), drawAlignment(episode)]) {
      expect(names).toContain(">◆2 Chidi Okafor<");
      expect(names).toContain(">49 Dana<");
    }
  });

  it("escapes whatever names, titles and reasons say", () => {
    const hostile = `"><script>alert(1)</script>&\u202e`;
    const episode = sampleEpisode({ workers: 4, steps: 60 });
    const changed = {
      ...episode,
      members: episode.members.map(() => hostile),
      subtasks: episode.subtasks.map(() => hostile),
      record: {
        ...episode.record,
        events: episode.record.events!.map((event) => ("reason" in event ? { ...event, reason: hostile } : event)),
      },
    };
    const [gantt, alignment] = [drawGantt(changed), drawAlignment(changed)];
    for (const markup of [gantt.names, gantt.lanes, alignment.names, alignment.lanes, drawPairs(changed)]) {
      expect(markup).not.toContain("<script");
      expect(markup).not.toContain("\u202e");
    }
  });
});

describe("the sections of a workplace report", () => {
  const rows = sampleRows();

  it("draws time and communication for every setting, and speed-up where there are several sizes of teams", () => {
    expect(teamFigures(rows, "learned")).toHaveLength(8);
    expect(speedUpFigures(rows, "learned")).toHaveLength(4);
    const one = rows.filter(({ workers }) => workers === 4);
    expect(speedUpFigures(one, "learned")).toEqual([]);
    expect(teamFigures(one, "learned")[0].svg).toContain("hours to completion, 4 workers");
  });

  it("mixes messages by episodes, and leaves out methods that never talk", () => {
    const [byType] = messageFigures(rows, "learned");
    expect(byType.svg).toContain("help: ");
    expect(byType.svg).not.toContain("no-communication");
  });

  it("shows the main method against the others from whichever side it was compared", () => {
    const comparisons = sampleComparisons(rows);
    const turned = comparisons.map((one) => {
      const negate = ({ mean, low, high, p }: typeof one.hours) => ({ mean: -mean, low: -high, high: -low, p });
      const [hours, communicationHours] = [negate(one.hours), negate(one.communicationHours)];
      return { ...one, method: one.reference, reference: one.method, hours, communicationHours };
    });
    expect(comparisonFigures(turned, "learned")).toEqual(comparisonFigures(comparisons, "learned"));
    expect(comparisonFigures(comparisons, "learned")).toHaveLength(8);
  });

  it("renders equal bytes for equal data, with nothing of a stranger's as markup, whatever is missing", () => {
    const hostile = `<img src=x onerror=alert(1)></script>`;
    const data = sampleWorkplaceReport([sampleEpisode({ workers: 4, steps: 40, text: hostile })]);
    const named = {
      ...data,
      ...{ title: hostile, headline: [hostile], command: hostile },
      rows: rows.map((row) => ({ ...row, attack: hostile, method: hostile, hours: null, efficiency: null })),
    };
    const assets = { script: "0", style: "" };
    expect(renderWorkplaceReport(named, assets)).toBe(renderWorkplaceReport(named, assets));
    expect(renderWorkplaceReport(named, assets)).not.toContain("<img");
    const empty = { ...data, rows: [], comparisons: [], episodes: { note: "", episodes: [] } };
    expect(renderWorkplaceReport(empty, assets)).toContain("colloquy evaluate workplace");
  });
});
