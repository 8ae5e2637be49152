import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { judgeClaims, near, units } from "../benchmarks/studies/workplace-claims.ts";
import {
  type Figures,
  figuresOf,
  type Hub,
  hubOf,
  type Row,
  teams,
  tiers,
} from "../benchmarks/studies/workplace-figures.ts";
import { origins } from "../benchmarks/studies/workplace-origins.ts";
import { judgeSections, pageBlocks } from "../benchmarks/studies/workplace-page.ts";
import { workplaceParts } from "../benchmarks/studies/workplace-parts.ts";
import { evaluateWorkplace, loadRecipe } from "../src/index.ts";

const seeds = [1, 2];
const tiny = ["projects.test=2", "evaluate.episodes=1"];

let folder: string;
let rows: Row[];
let figures: Figures;

const hubs: Hub[] = tiers.flatMap((tier) =>
  teams.map((workers) =>
    hubOf(tier, workers, [
      [
        [0, 1, 2],
        [1, 0, 1],
      ],
    ]),
  ),
);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "colloquy-study-"));
  rows = [];
  for (const { name, set } of workplaceParts(seeds)) {
    const recipe = await loadRecipe("workplace", [...set, ...tiny], "workplace-v1");
    const out = join(folder, name);
    rows.push(...(await evaluateWorkplace({ recipe, checkpoint: null }, { out, command: "test" })).rows);
  }
  figures = figuresOf(rows, hubs);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the table beside the published numbers", () => {
  it("finds every cell that it speaks of among those that are played", () => {
    const lines = Object.values(judgeSections(figures)).flat();
    expect(lines.length).toBeGreaterThan(60);
    expect(lines.filter(({ here }) => here === "" || /undefined/.test(here))).toEqual([]);
  });

  it("speaks of all that is played, the other strategies on two tasks apart, and plays nothing twice", () => {
    const asked = new Set<Row>();
    const row: Figures["row"] = (...args) => {
      const found = figures.row(...args);
      asked.add(found);
      return found;
    };
    judgeSections({ ...figures, row });
    const silent = rows.filter((found) => !asked.has(found));
    expect(silent.filter(({ tasks, method }) => tasks === 1 || method === "c2c")).toEqual([]);
    const cells = rows.map(({ tier, workers, tasks, decomposition, method }) =>
      [tier, workers, tasks, decomposition, method].join(),
    );
    expect(new Set(cells).size).toBe(cells.length);
  });

  it("shows the closed forms exactly", () => {
    const { "Closed forms": closed } = judgeSections(figures);
    expect(closed.map(({ value }) => value)).toEqual([6.75, 20, 33.5, 3.5, 10, 16.75, 1.75, 5, 8.5]);
    expect(closed.map(({ verdict }) => verdict)).toEqual(closed.map(() => "holds"));
  });

  it("says of every line how it came and whether it holds, and counts the missed ones", () => {
    const judged = judgeSections(figures);
    const text = pageBlocks(judged, "").join("\n");
    const lines = Object.values(judged).flat();
    for (const { what, came } of lines)
      expect(text.split("\n").some((line) => line.startsWith(`| ${what} |`) && line.includes(`| ${came} |`))).toBe(
        true,
      );
    const missed = lines.filter(({ verdict }) => verdict === "missed").length;
    expect(text.split("**missed**").length - 1).toBe(missed);
    expect(text).toContain(`${lines.length - missed} of ${lines.length} lines hold`);
    for (const { sentence } of Object.values(origins)) expect(text).toContain(sentence);
  });

  it("leaves no way to come about without a line", () => {
    const used = new Set(Object.values(judgeSections(figures)).flatMap((lines) => lines.map(({ origin }) => origin)));
    expect(used).toEqual(new Set(Object.keys(origins)));
  });
});

describe("a number beside a published one", () => {
  const judge = (published: number, mean: number) =>
    judgeClaims([near("x", "hours", published, "tenPercent", "itself", () => mean)], figures)[0];

  it("holds exactly where it is within the tolerance, on both sides", () => {
    const hours = fc.double({ min: 1, max: 100, noNaN: true });
    fc.assert(
      fc.property(hours, fc.double({ min: -0.3, max: 0.3, noNaN: true }), (published, off) => {
        fc.pre(Math.abs(Math.abs(off) - 0.1) > 1e-6);
        const { verdict } = judge(published, published * (1 + off));
        expect(verdict).toBe(Math.abs(off) < 0.1 ? "holds" : "missed");
      }),
    );
    expect([judge(20, 22).verdict, judge(20, 18).verdict, judge(20, 22.01).verdict]).toEqual([
      "holds",
      "holds",
      "missed",
    ]);
  });

  it("is missed where there was nothing to measure", () => {
    const [line] = judgeClaims([near("x", "alignment", 0.27, "alignment", "gains", () => null)], figures);
    expect(line).toMatchObject({ verdict: "missed", here: "nothing to measure" });
  });

  it("is exact only where every episode is", () => {
    const exact = (low: number, high: number) =>
      judgeClaims([near("x", "hours", 20, "exact", "closed", () => ({ mean: 20, low, high }))], figures)[0].verdict;
    expect([exact(20, 20), exact(19.75, 20.25)]).toEqual(["holds", "missed"]);
  });

  it("shows its difference with a sign", () => {
    expect(units.hours.difference(22, 20)).toBe("+2.00 h (+10.0 %)");
    expect(units.alignment.difference(0.53, 0.55)).toBe("−.02");
    expect(units.alignment.difference(0.549, 0.55)).toBe("±.00");
    expect(units.growth.difference(0.5, 0.86)).toBe("−36.0 points");
  });
});

describe("the manager", () => {
  it("is the hub of a star around it, and not of a star around a worker", () => {
    const star = (hub: number) => [1, 2, 3].map((other): [number, number, number] => [hub, (hub + other) % 4, 2]);
    expect(hubOf("simple", 3, [star(0), star(0)])).toMatchObject({ share: 1, first: 1 });
    expect(hubOf("simple", 3, [star(0), star(2)])).toMatchObject({ share: (6 + 2) / 12, first: 0.5 });
  });

  it("is no hub where nobody writes", () => {
    expect(hubOf("simple", 3, [[]])).toEqual({ tier: "simple", workers: 3, episodes: 1, share: 0, first: 0 });
  });
});
