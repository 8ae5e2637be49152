import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { attacksIn } from "../src/contracts/trace.ts";
import { renderReport } from "../src/report/html.ts";
import { readAddress, writeAddress } from "../src/report/page/address.ts";
import { nameAnswers } from "../src/report/page/answer-names.ts";
import { levelsOf, turnsIn } from "../src/report/page/episode-facts.ts";
import { filterGroups, groupEpisodes, noFilter } from "../src/report/page/episode-groups.ts";
import { layoutRound } from "../src/report/page/layout.ts";
import { routeEdge } from "../src/report/page/route-edges.ts";
import { summarize } from "../src/report/page/summary.ts";
import { tallyVote } from "../src/report/page/tally.ts";
import type { ReportData, ShownEpisode } from "../src/report/report-data.ts";
import { sampleReport } from "./support/report-samples.ts";

const assets = { script: "console.assert(true)", style: "p{color:red}" };
const sample = sampleReport({ agents: 6, episodes: 4 });
const empty: ReportData = { ...sample, browser: { note: "", questions: {}, episodes: [] } };

describe("the report's file", () => {
  it("allows no script but its own, by hash, and nothing from elsewhere", () => {
    const page = renderReport(sample, assets);
    const hash = createHash("sha256").update(assets.script).digest("base64");
    expect(page).toContain(`default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${hash}'; img-src data:`);
    expect(page).not.toMatch(/\b(?:src|href)="(?!#)/);
  });

  it("keeps every text a text, wherever it stands", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom("<", ">", '"', "'", "&", "/", "!", "-", "script", " ", "a") }),
        (words) => {
          const text = `x${words}</script><script>alert(1)</script>`;
          const column = { title: text };
          const page = renderReport(
            {
              title: text,
              headline: text,
              facts: [[text, text]],
              sections: [
                {
                  heading: text,
                  text,
                  figures: [{ svg: "<svg></svg>", caption: text }],
                  tables: [{ title: text, table: { columns: [column], rows: [[text]] } }],
                },
              ],
              browser: { ...sample.browser, note: text, questions: { [text]: { text, options: [["A", text]] } } },
            },
            assets,
          );
          const markup = (of: string): number => of.split(/<[a-z!/]/i).length;
          const plainPage = renderReport(
            {
              ...sample,
              headline: "x",
              facts: [["x", "x"]],
              sections: [
                {
                  heading: "x",
                  text: "x",
                  figures: [{ svg: "<svg></svg>", caption: "x" }],
                  tables: [{ title: "x", table: { columns: [{ title: "x" }], rows: [["x"]] } }],
                },
              ],
            },
            assets,
          );
          expect(markup(page)).toBe(markup(plainPage));
        },
      ),
      { numRuns: 50 },
    );
  });

  it("gives the page's script exactly what it was given", () => {
    const browser = { ...sample.browser, note: "</script><!-- \u2028 <script>" };
    const page = renderReport({ ...sample, browser }, assets);
    const json = page.match(/<script type="application\/json" id="episode-data">(.*?)<\/script>/s)![1];
    expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(browser)));
  });

  it("has tables with captions and scopes in regions that can be scrolled by keys", () => {
    const page = renderReport(sample, assets);
    expect(page).toMatch(
      /<div class="scroll" role="region" tabindex="0" aria-labelledby="section-1-table-1">\s*<table><caption id="section-1-table-1">Methods/,
    );
    expect(page).toContain('<th scope="row">learned</th>');
    expect(page).toContain('<th scope="col" class="number">accuracy</th>');
  });

  it("has no browser where there is no episode, and says so where there is no script", () => {
    expect(renderReport(empty, assets)).not.toContain('id="browser"');
    expect(renderReport(sample, assets)).toContain("<noscript>");
  });
});

/** Levels of a team and edges that run up in them. */
const graphs = fc.integer({ min: 2, max: 12 }).chain((agents) =>
  fc.record({
    levels: fc.array(fc.integer({ min: 0, max: 5 }), { minLength: agents, maxLength: agents }),
    sigmas: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: agents, maxLength: agents }),
    pitch: fc.integer({ min: 40, max: 76 }),
  }),
);

describe("the layout of a round", () => {
  it("never lets two nodes overlap, for 1 to 300 agents", () => {
    const teams = fc.integer({ min: 1, max: 300 }).chain((agents) =>
      fc.record({
        levels: fc.array(fc.integer({ min: 0, max: 6 }), { minLength: agents, maxLength: agents }),
        sigma: fc.double({ min: 0, max: 1, noNaN: true }),
      }),
    );
    fc.assert(
      fc.property(teams, ({ levels, sigma }) => {
        const { nodes, width, height } = layoutRound(
          levels,
          levels.map(() => sigma),
          { pitch: 50, leadIn: 0 },
        );
        for (const a of nodes) {
          expect(a.x - a.radius >= 0 && a.x + a.radius <= width && a.y + a.radius <= height).toBe(true);
          const overlapping = nodes.filter(
            (b) => b.agent < a.agent && Math.hypot(a.x - b.x, a.y - b.y) < a.radius + b.radius,
          );
          expect(overlapping).toEqual([]);
        }
      }),
      { numRuns: 60 },
    );
  });

  it("spreads many levels of one or two agents over the height, close together, without overlaps", () => {
    fc.assert(
      fc.property(fc.integer({ min: 25, max: 300 }), fc.integer({ min: 1, max: 2 }), (agents, each) => {
        const levels = Array.from({ length: agents }, (_, agent) => 1 + Math.floor(agent / each));
        const { nodes, width, height, columns } = layoutRound(levels, null, { pitch: 50, leadIn: 0 });
        for (const a of nodes) {
          expect(a.x + a.radius <= width && a.y + a.radius <= height).toBe(true);
          const isTouched = nodes.some(
            (b) => b.agent < a.agent && Math.hypot(a.x - b.x, a.y - b.y) <= a.radius + b.radius,
          );
          expect(isTouched).toBe(false);
          if (a.level > 1) expect(a.x).toBeGreaterThan(columns[a.level - 2].x);
        }
        expect(new Set(nodes.map(({ y }) => Math.round(y))).size).toBeGreaterThan(10);
        expect(width).toBeLessThan(60 + 10 * columns.length);
      }),
      { numRuns: 40 },
    );
  });

  it("keeps each of few agents in a row of its own, and levels from left to right", () => {
    fc.assert(
      fc.property(graphs, ({ levels, sigmas, pitch }) => {
        const { nodes } = layoutRound(levels, sigmas, { pitch, leadIn: 0 });
        const other = layoutRound(
          levels.map(() => 1),
          null,
          { pitch, leadIn: 0 },
        );
        expect(nodes.map(({ y }) => y)).toEqual(other.nodes.map(({ y }) => y));
        for (const a of nodes) for (const b of nodes) if (a.level < b.level) expect(a.x).toBeLessThan(b.x);
      }),
    );
  });

  it("lets no edge touch a node it does not belong to", () => {
    fc.assert(
      fc.property(graphs, ({ levels, sigmas, pitch }) => {
        const layout = layoutRound(levels, sigmas, { pitch, leadIn: 0 });
        levels.forEach((from, source) => {
          levels.forEach((to, target) => {
            if (from === 0 || to <= from) return;
            const points = pointsOf(routeEdge(layout, source, target));
            for (const { agent, x, y, radius } of layout.nodes) {
              if (agent === source || agent === target) continue;
              const nearest = Math.min(...points.map((point) => Math.hypot(point[0] - x, point[1] - y)));
              expect(nearest).toBeGreaterThan(radius);
            }
          });
        });
      }),
      { numRuns: 60 },
    );
  });
});

/** Points along a path of cubic curves. */
function pointsOf(path: string): [number, number][] {
  const numbers = path.match(/-?[\d.]+/g)!.map(Number);
  const points: [number, number][] = [];
  for (let k = 0; k + 7 < numbers.length; k += 6) {
    for (let t = 0; t <= 1; t += 0.05) {
      const weigh = (offset: number): number =>
        (1 - t) ** 3 * numbers[k + offset] +
        3 * (1 - t) ** 2 * t * numbers[k + 2 + offset] +
        3 * (1 - t) * t ** 2 * numbers[k + 4 + offset] +
        t ** 3 * numbers[k + 6 + offset];
      points.push([weigh(0), weigh(1)]);
    }
  }
  return points;
}

describe("what the page makes of a record", () => {
  const { episodes } = sample.browser;
  const change = (episode: ShownEpisode, record: Partial<ShownEpisode["record"]>): ShownEpisode => ({
    ...episode,
    record: { ...episode.record, ...record },
  });

  it("counts the vote as the run did", () => {
    for (const episode of episodes) {
      const tallies = tallyVote(episode);
      const best = tallies.reduce((a, b) => (b.mass > a.mass ? b : a));
      const chosen = tallies.find(({ isChosen }) => isChosen)!;
      expect(chosen.mass).toBeCloseTo(best.mass);
      expect(tallies.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1);
      expect(tallies.filter(({ isRight }) => isRight).map(({ answer }) => answer)).toEqual([episode.record.gold]);
    }
  });

  it("counts the answers of all rounds where the method does", () => {
    const all = tallyVote({ ...episodes[0], weights: [1, 1, 1, 1, 1, 1], ballots: "all" });
    expect(all.reduce((sum, { ballots }) => sum + ballots.length, 0)).toBe(episodes[0].record.calls);
  });

  it("finds the levels that edges make", () => {
    const chain = change(episodes[0], {
      onsets: [0, 0, 0],
      decisions: [{ round: 2, credits: [0, 0, 0], participants: [1, 1, 0], edges: [[1, 0]], levels: 2 }],
    });
    expect(levelsOf(chain.record, 2)).toEqual([2, 1, 0]);
  });

  it("says in a sentence what happened", () => {
    const said = (text: string): string => text.replace(/\u00a0/g, " ");
    expect(said(summarize(episodes[0]))).toMatch(
      /^Right: A\. 2 of 6 agents collude on B from rounds 1 and 2\. \d spoke in round 2, \w+ attacking; \d in round 3, \w+ attacking\. /,
    );
    const failed = change(episodes[0], { outcome: "failed", error: "agent 2 failed in round 2", answer: null });
    expect(summarize(failed)).toMatch(/^Failed: agent 2 failed in round 2\. /);
    const calm = change(episodes[0], { onsets: [0, 0, 0, 0, 0, 0], outcome: "unparsed", answer: null });
    expect(summarize(calm)).toMatch(/^Unparsed: .* No agent attacks\. \d spoke in round 2; \d in round 3\.$/);
  });

  it("puts an episode's methods together and finds where they disagree", () => {
    const groups = groupEpisodes(sample.browser);
    expect(groups.map(({ number, episodes }) => [number, episodes.length])).toEqual([1, 2, 3, 4].map((n) => [n, 3]));
    const differing = filterGroups(groups, { ...noFilter, outcome: "differs" }, "learned");
    expect(differing).toEqual(
      groups.filter(({ episodes }) => new Set(episodes.map((one) => one.record.outcome)).size > 1),
    );
    expect(filterGroups(groups, { ...noFilter, search: "QUESTION 2." }, "learned").map(({ number }) => number)).toEqual(
      [3],
    );
  });

  it("finds a question by its id, capitals or not", () => {
    const browser = { ...sample.browser, questions: {} };
    const episodes = browser.episodes.map((one) => ({ ...one, record: { ...one.record, question: "Law-QX7" } }));
    const groups = groupEpisodes({ ...browser, episodes });
    expect(filterGroups(groups, { ...noFilter, search: "law-qx7" }, "learned")).toEqual(groups);
  });

  it("calls short answers by themselves, and numbers all where one is too long to be told from others", () => {
    const [{ record }] = episodes;
    expect(nameAnswers(record)).toMatchObject({ numbered: [] });
    expect(nameAnswers(record).nameOf("C")).toBe("C");
    const code = ["def f(x):\n  return x + 1", "def f(x):\n  return x - 1", "no"];
    const say = (answer: string) => ({ answer, status: "parsed" as const });
    const open = { ...record, rounds: [code.map(say)], gold: null, target: null, answer: code[1], right: [code[0]] };
    const { nameOf, numbered } = nameAnswers(open);
    expect(numbered).toEqual([
      ["A1", code[1]],
      ["A2", code[0]],
      ["A3", "no"],
    ]);
    expect(code.map(nameOf)).toEqual(["A2", "A1", "A3"]);
    expect(summarize({ ...episodes[0], record: { ...open, outcome: "wrong" } })).toMatch(/^Wrong: A1\./);
  });

  it("says who attacks in each round of a moving attack, the second time included", () => {
    const moving = change(episodes[0], { onsets: [1, 2, 0, 0, 0, 0], active: [[0], [1], [0]] });
    const { record } = moving;
    expect([1, 2, 3].map((round) => attacksIn(record, 0, round))).toEqual([true, false, true]);
    expect([1, 2, 3].map((round) => turnsIn(record, 0, round))).toEqual([true, false, true]);
    const behind = tallyVote(moving).flatMap(({ ballots }) => ballots);
    expect(behind.filter(({ isAttacking }) => isAttacking).map(({ agent }) => agent)).toEqual([0]);
  });

  it("says of adversaries nobody asked that they were not asked", () => {
    const only = episodes[0].record.onsets.indexOf(0);
    const rounds = episodes[0].record.rounds.map((said) => said.map((one, agent) => (agent === only ? one : null)));
    expect(summarize(change(episodes[0], { rounds }))).toContain("None of them was asked.");
  });

  it("reads back every address it writes", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e6 }), fc.string({ unit: "grapheme" }), (number, method) => {
        expect(readAddress(writeAddress({ number, method }))).toEqual({ number, method });
      }),
    );
    expect(readAddress("#section-1")).toBeNull();
  });
});
