import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkRecipe, openWorkplace, openWorkplaceMethods, runEpisode } from "../src/assemble/index.ts";
import { createRng } from "../src/base/rng.ts";
import type { WorkplaceRecord } from "../src/contracts/workplace/record.ts";
import type { WorkplaceCell } from "../src/contracts/workplace/results.ts";
import {
  collectWorkplaceResults,
  consoleWorkplace,
  keepWorkplaceEpisodes,
  listCells,
  markdownWorkplace,
  parseKeptEpisodes,
  parseWorkplaceResults,
  reduceRecord,
  sweepWorkplace,
  type WorkplaceEpisode,
  type WorkplaceSweep,
  workplaceCsv,
} from "../src/evaluate/workplace/index.ts";
import { efficiency, measureRow, productivity, utilisation } from "../src/evaluate/workplace/measures.ts";
import { hubIndex } from "../src/evaluate/workplace/numbers.ts";
import { errorOf } from "./support/error-of.ts";

const cell: WorkplaceCell = {
  tier: "simple",
  workers: 3,
  tasks: 1,
  decomposition: "adaptive",
  adversaries: 0,
  attack: "none",
  onset: "",
};
const world = openWorkplace(
  checkRecipe({ name: "office", world: "workplace-v1", projects: { test: 12 } }, "the test", "workplace-v1"),
);
const names = ["c2c", "no-communication", "unconstrained"] as const;
const methods = openWorkplaceMethods(world, names, null);

const play = ({ method, cell, start }: WorkplaceEpisode, log = false): Promise<WorkplaceRecord> => {
  const { strategy, policy } = methods.find(({ name }) => name === method)!;
  return runEpisode(world.environment(strategy, { workers: cell.workers, log }), policy, start);
};

const sweep = (changes: Partial<Parameters<typeof sweepWorkplace>[0]> = {}): Promise<WorkplaceSweep> =>
  sweepWorkplace({
    methods: names,
    cells: [cell, { ...cell, workers: 5 }],
    projectsOf: (own) => world.testProjects(own),
    attack: { attack: "mislead", onset: "first" },
    episodes: 12,
    seeds: [1, 2],
    play,
    ...changes,
  });

const collect = (played: WorkplaceSweep) =>
  collectWorkplaceResults(played, {
    command: "colloquy evaluate office",
    environment: {},
    budgetHours: (tier) => world.tiers[tier].hours,
    rng: createRng(1),
  });

describe("the hub index", () => {
  const agents = fc.integer({ min: 3, max: 9 });
  const pairsOf = (n: number, keep: (i: number, j: number) => boolean, count = 2): [number, number, number][] =>
    Array.from({ length: n * n }, (_, k): [number, number, number] => [Math.floor(k / n), k % n, count]).filter(
      ([i, j]) => i !== j && keep(i, j),
    );

  it("is 1 for a star and 0 where everybody writes to everybody, for any team", () => {
    fc.assert(
      fc.property(agents, fc.nat(), (n, draw) => {
        const centre = draw % n;
        expect(
          hubIndex(
            pairsOf(n, (i, j) => i === centre || j === centre),
            n,
          ),
        ).toBeCloseTo(1, 12);
        expect(
          hubIndex(
            pairsOf(n, () => true),
            n,
          ),
        ).toBeCloseTo(0, 12);
      }),
    );
  });

  it("stays between, and is not known without messages", () => {
    const pairs = fc.array(fc.tuple(fc.nat(3), fc.nat(3), fc.integer({ min: 1, max: 5 })), { minLength: 1 });
    fc.assert(
      fc.property(pairs, (some) => {
        const own = some.filter(([i, j]) => i !== j);
        const hub = hubIndex(own, 4);
        if (own.length === 0) expect(hub).toBeNull();
        else expect(hub! >= 0 && hub! <= 1 + 1e-12).toBe(true);
      }),
    );
  });
});

describe("what is measured", () => {
  it("are the published efficiencies for the published hours", () => {
    const hours = (mean: number) => ({ mean, low: mean, high: mean });
    const rounded = [33.5, 36.25, 24.75].map((mean) => efficiency(40, hours(mean))!.toFixed(2));
    expect(rounded).toEqual(["1.19", "1.10", "1.62"]);
    expect(efficiency(40, null)).toBeNull();
  });

  it("comes out of a record that can be counted by hand", () => {
    const none = { count: 0, sum: 0 };
    const record: WorkplaceRecord = {
      ...{ environment: "workplace-v1", question: "p", seed: 1, sample: 0, onsets: [0, 0, 0], decisions: [] },
      attack: { kind: "mislead", adversaries: 0, onset: "first" },
      ...{ utility: 0.95, outcome: "finished", calls: 0, tokens: 0, tier: "simple", workers: 2, steps: 8 },
      ...{ doneAt: [8], effort: 8000, communicationMinutes: 90 },
      occupancy: { work: [0, 6, 4], communicate: [0, 1, 1], reply: [2, 0, 0], meeting: [0, 0, 2], wait: [6, 1, 1] },
      alignment: { final: 0.5, mean: 0.4 },
      sent: { help_request: 2, need_clarification: 0, meeting_invite: 0, progress_update: 0, reply: 2 },
      channels: { chat: 4, email: 0, meeting: 0 },
      gains: { help_request: { count: 2, sum: 300 }, need_clarification: none, meeting_invite: none },
      responses: { chat: { count: 2, sum: 4 }, email: none, meeting: none },
      pairs: [
        [0, 1, 2],
        [1, 0, 2],
      ],
      subtasks: { count: 2, clarity: 900, reassigned: 1 },
      ...{ meetings: { held: 0, cancelled: 0 }, faults: 0, malformed: 0 },
    };
    const done = reduceRecord(record);
    const late = reduceRecord({ ...record, question: "q", outcome: "unfinished", steps: 160, doneAt: [null] });
    expect(productivity([done])).toBeCloseTo(2 / (3 * 2));
    expect(productivity([done, late])).toBeCloseTo(1 / 6);
    expect(utilisation([done])).toBeCloseTo(10 / 16);
    const own = { ...cell, workers: 2 };
    expect(measureRow([done, late], { method: "c2c", cell: own, budgetHours: 8 }, createRng(1))).toMatchObject({
      n: 2,
      projects: 2,
      completed: 0.5,
      hours: { mean: 2, low: 2, high: 2 },
      efficiency: 4,
      communicationHours: { mean: 1.5 },
      communicationShare: (6 / 24 + 6 / 480) / 2,
      gains: { help_request: { count: 4, mean: 0.15 }, meeting_invite: { count: 0, mean: null } },
      responses: { chat: { count: 4, mean: 0.5 } },
      messages: { help_request: 2, reply: 2 },
      messagesPerHour: (4 / 2 + 4 / 40) / 2,
      clarity: 0.9,
      reassigned: 1,
      hub: 1,
    });
  });
});

describe("a sweep", () => {
  it("plays the same projects, seeds and attacks under every method, and comes to the same whatever the concurrency", async () => {
    const seen = new Map<string, string[]>();
    const one = await sweep({
      cells: [{ ...cell, adversaries: 1, attack: "mislead", onset: "uniform" }],
      onRecord: ({ question, seed, sample, onsets }, { method }) => {
        seen.set(method, [...(seen.get(method) ?? []), JSON.stringify([question, seed, sample, onsets])]);
      },
    });
    expect(seen.get("c2c")).toHaveLength(24);
    expect(seen.get("no-communication")).toEqual(seen.get("c2c"));
    const three = await sweep({
      cells: [{ ...cell, adversaries: 1, attack: "mislead", onset: "uniform" }],
      concurrency: 3,
    });
    expect(three).toEqual(one);
  });

  it("ends with the signal and says so; whole cells are compared", async () => {
    const controller = new AbortController();
    const cut = await sweep({
      signal: controller.signal,
      onProgress: ({ played }) => {
        if (played === 80) controller.abort();
      },
    });
    expect(cut).toMatchObject({ complete: false, planned: 144, played: 80 });
    expect(collect(cut).headline[0]).toBe("INCOMPLETE RUN (80 of 144 episodes).");
    expect(collect(cut).comparisons.length).toBeGreaterThan(0);
  });

  it("lists the cell without adversaries once, whatever the onsets", () => {
    const grid = { tiers: ["simple" as const], workers: [2, 4], tasks: [1], decompositions: ["adaptive"] };
    const cells = listCells({
      ...grid,
      adversaries: (w) => [0, w / 2, w / 2],
      attack: "ignore",
      onsets: ["first", "late"],
    });
    expect(cells.map(({ workers, adversaries, attack, onset }) => [workers, adversaries, attack, onset])).toEqual([
      [2, 0, "none", ""],
      [2, 1, "ignore", "first"],
      [2, 1, "ignore", "late"],
      [4, 0, "none", ""],
      [4, 2, "ignore", "first"],
      [4, 2, "ignore", "late"],
    ]);
  });
});

describe("results", () => {
  it("say in plain words who is faster, by how much, and what it takes", async () => {
    const results = collect(await sweep());
    const [first] = results.comparisons;
    expect(first).toMatchObject({ method: "c2c", reference: "no-communication", pairs: 24, projects: 12 });
    expect(first.hours).toMatchObject({ verdict: "faster" });
    expect(first.communicationHours).toMatchObject({ verdict: "more" });
    expect(first.hours.pHolm).toBeGreaterThanOrEqual(first.hours.p);
    const rowOf = (method: string) => results.rows.find((row) => row.method === method && row.workers === 3)!;
    expect(first.hours.mean).toBeCloseTo(rowOf("c2c").hours!.mean - rowOf("no-communication").hours!.mean, 10);
    expect(results.headline[0]).toMatch(
      /^c2c against no-communication: faster in all 2 cells \(−\d\.\d\d h on average\)/,
    );
  });

  it("find nothing between a method and itself", async () => {
    const { plays, ...rest } = await sweep({ methods: ["c2c"] });
    const twins = plays.flatMap((own) => [own, { ...own, method: "twin" }]);
    for (const { hours, communicationHours } of collect({ plays: twins, ...rest }).comparisons) {
      expect(hours).toMatchObject({ mean: 0, low: 0, high: 0, p: 1, verdict: "no measurable difference" });
      expect(communicationHours.verdict).toBe("no measurable difference");
    }
  });

  it("come back from their file as they were; damaged ones and others are refused by name", async () => {
    const results = collect(await sweep({ episodes: 3 }));
    const text = JSON.stringify(results);
    expect(parseWorkplaceResults(text, "results.json")).toEqual(results);
    expect(errorOf(() => parseWorkplaceResults('{"schema":"colloquy.results/1"}', "r.json")).message).toContain(
      "r.json",
    );
    const damaged = JSON.stringify({ ...results, rows: [{ ...results.rows[0], hub: 7 }] });
    expect(errorOf(() => parseWorkplaceResults(damaged, "r.json")).message).toMatch(/r\.json is damaged.*hub/s);
  });

  it("are written as tables that hold every row", async () => {
    const results = collect(await sweep({ episodes: 3 }));
    const [head, ...lines] = workplaceCsv(results).trim().split("\n");
    expect(lines).toHaveLength(results.rows.length);
    for (const line of lines) expect(line.split(",")).toHaveLength(head.split(",").length);
    for (const text of [consoleWorkplace(results), markdownWorkplace(results)])
      for (const method of names)
        expect(text.split("\n").filter((line) => line.includes(method)).length).toBeGreaterThan(1);
  });
});

describe("kept episodes", () => {
  it("are the first of every cell and method, the same for all, and come back from their file", async () => {
    const keeper = keepWorkplaceEpisodes();
    await sweep({
      concurrency: 4,
      play: (episode) => play(episode, keeper.claim(episode)),
      onRecord: (record, episode) => keeper.add(record, episode, () => ["a"]),
    });
    const lines = keeper
      .lines({ name: "office" })
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as unknown);
    expect(lines[0]).toEqual({ schema: "colloquy.workplace-judged/1", recipe: { name: "office" } });
    const { episodes, skipped } = parseKeptEpisodes(lines);
    expect(skipped).toBe(0);
    expect(episodes.map(({ method, record }) => `${record.workers} ${method}`)).toEqual(
      [3, 5].flatMap((workers) => names.map((method) => `${workers} ${method}`)),
    );
    expect(new Set(episodes.map(({ record }) => record.question)).size).toBe(2);
    expect(episodes.every(({ record }) => record.events!.length > 10)).toBe(true);
    expect(episodes).toEqual(lines.slice(1));
  });

  it("of a stranger's file are looked at one by one", () => {
    const { episodes, skipped } = parseKeptEpisodes([{ method: "c2c" }, 7, null, { record: {} }]);
    expect({ episodes, skipped }).toEqual({ episodes: [], skipped: 4 });
  });
});
