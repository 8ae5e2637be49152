import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { consoleTable, escapeMarkdown, markdownTable } from "../src/base/table.ts";
import { forestChart } from "../src/report/charts/forest-chart.ts";
import { type ChartLine, lineChart } from "../src/report/charts/line-chart.ts";
import { findFront, scatterChart } from "../src/report/charts/scatter-chart.ts";
import { spreadLabels } from "../src/report/charts/spread-labels.ts";
import { palette } from "../src/report/charts/svg.ts";
import {
  accuracyFigures,
  costFigures,
  drawAccuracy,
  forestFigures,
  type JudgedCell,
} from "../src/report/figures/accuracy-figures.ts";
import { creditFigures } from "../src/report/figures/credit-figures.ts";

const accuracies: Readonly<Record<string, readonly number[]>> = {
  learned: [0.69, 0.61],
  complete: [0.67, 0.04],
  "vote-first": [0.66, 0.3],
  dylan: [0.6, 0.5],
  chain: [0.5, 0.1],
  oracle: [0.7, 0.68],
};
const calls: Readonly<Record<string, number>> = {
  learned: 9,
  complete: 18,
  "vote-first": 6,
  dylan: 12,
  chain: 18,
  oracle: 10,
};

/** Six methods in two cells for each of two onsets. */
const cells: JudgedCell[] = Object.entries(accuracies).flatMap(([method, [clean, attacked]]) => {
  const cell = (adversaries: number, onset: string, accuracy: number): JudgedCell => ({
    ...{ method, attack: "collude", attackRate: adversaries / 6, adversaries, onset, accuracy },
    ...{ low: accuracy * 0.9, high: Math.min(1, accuracy * 1.1), calls: calls[method] },
  });
  return [cell(0, "first", clean), cell(3, "first", attacked), cell(3, "uniform", attacked)];
});

const lines: ChartLine[] = [
  {
    name: "one",
    points: [
      { x: 0, y: 0.69, low: 0.6, high: 0.77 },
      { x: 0.5, y: 0.61, low: 0.52, high: 0.7 },
    ],
  },
  {
    name: "other",
    points: [
      { x: 0, y: 0.67, low: 0.58, high: 0.75 },
      { x: 0.5, y: 0.04, low: 0.01, high: 0.1 },
    ],
  },
];
const labels = { title: "t", xLabel: "step", yLabel: "share" };

const anyNumber = fc.oneof(
  fc.double(),
  fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY),
);
const anyPoint = fc.record(
  { x: anyNumber, y: anyNumber, low: anyNumber, high: anyNumber, inner: fc.tuple(anyNumber, anyNumber) },
  { requiredKeys: ["x", "y"] },
);
const anyLine = fc.record(
  {
    name: fc.string({ unit: "binary" }),
    points: fc.array(anyPoint, { maxLength: 6 }),
    look: fc.constantFrom("main" as const, "plain" as const, "faint" as const, "reference" as const),
  },
  { requiredKeys: ["name", "points"] },
);

/** Every opening tag closed in turn, and every `<`, `>` and `&` of the texts escaped. */
function isWellFormed(xml: string): boolean {
  const open: string[] = [];
  const rest = xml.replace(/<(\/?)([a-z]+)((?: [a-zA-Z0-9-]+="[^"<]*")*)(\/?)>/g, (_, closing, name, __, empty) => {
    if (closing) return open.pop() === name ? "" : "<";
    if (!empty) open.push(name);
    return "";
  });
  return open.length === 0 && !/[<>]/.test(rest) && !/&(?!amp;|lt;|gt;|quot;)/.test(rest);
}

describe("charts", () => {
  const expectSound = (svg: string): void => {
    expect(isWellFormed(svg)).toBe(true);
    expect(svg.replace(/<(title|text)[^>]*>[^<]*/g, "")).not.toMatch(/NaN|Infinity|undefined/);
  };

  it("draw one interval bar, one marker and one tooltip for each point, and each line's name at its end", () => {
    const svg = lineChart({ ...labels, lines });
    expect(svg.match(/h6M/g)).toHaveLength(4);
    expect(svg).toContain("<title>one at 0.5: 0.61 [0.52, 0.7]</title>");
    expect(svg.match(/<polyline/g)).toHaveLength(2);
    for (const name of ["one", "other", "step", "share"]) expect(svg).toContain(`>${name}</text>`);
  });

  it("put greater values higher", () => {
    const svg = lineChart({ ...labels, lines });
    const heights = [...svg.matchAll(/<path d="M[\d.]+ ([\d.]+)m[^>]*><title>other at/g)];
    const [clean, attacked] = heights.map((match) => Number(match[1]));
    expect(clean).toBeLessThan(attacked);
  });

  it("draw a wide and a narrow band where asked", () => {
    const points = [0, 10, 20].map((x) => {
      const y = 0.5 + x / 100;
      return { x, y, low: y - 0.2, high: y + 0.2, inner: [y - 0.1, y + 0.1] as const };
    });
    const svg = lineChart({ ...labels, lines: [{ name: "seed 1", points }], intervals: "band" });
    expect(svg.match(/<polygon/g)).toHaveLength(2);
  });

  it("say so when there is no data", () => {
    expect(lineChart({ ...labels, lines: [] })).toContain("no data");
    expect(accuracyFigures([], "learned")).toEqual([]);
    expect(isWellFormed(drawAccuracy([], "learned"))).toBe(true);
  });

  it("are well-formed and never hold NaN or Infinity, whatever the numbers and names", () => {
    const intervals = fc.constantFrom("bars" as const, "band" as const);
    fc.assert(
      fc.property(fc.array(anyLine, { maxLength: 20 }), intervals, fc.boolean(), (lines, intervals, markers) => {
        expectSound(lineChart({ ...labels, lines, intervals, markers }));
      }),
    );
    const point = fc.record({ name: fc.string(), x: anyNumber, y: anyNumber, low: anyNumber, high: anyNumber });
    fc.assert(
      fc.property(fc.array(point, { maxLength: 30 }), (points) => {
        expectSound(scatterChart({ ...labels, points }));
        expectSound(forestChart({ title: "t", label: "share", rows: points }));
      }),
    );
  });

  it("let no name become markup", () => {
    const name = `</text><script>alert("1")</script>`;
    for (const svg of [
      lineChart({ ...labels, lines: [{ ...lines[0], name }, lines[1]] }),
      scatterChart({ ...labels, points: [{ name, x: 1, y: 0.5 }] }),
      forestChart({ title: name, label: "share", rows: [{ name, y: 0.5, low: 0.4, high: 0.6 }] }),
    ]) {
      expect(svg).not.toContain("<script");
      expect(isWellFormed(svg)).toBe(true);
    }
  });

  it("name the trained method, the best other one, the well-known ones and the oracle; the rest are thin lines", () => {
    const [figure, ...others] = accuracyFigures(cells, "learned");
    expect(others).toHaveLength(1);
    for (const name of ["learned", "oracle", "dylan", "vote-first", "complete"])
      expect(figure.svg).toContain(`>${name}</text>`);
    expect(figure.svg).not.toContain(">chain</text>");
    expect(figure.svg).toContain("<title>chain</title>");
    expect(figure.caption).toContain("dylan is on average the best method that is no variant of the policy");
  });

  it("show every method by name in every cell, the best first", () => {
    const verdict = {
      method: "dylan",
      attack: "collude",
      adversaries: 3,
      onset: "first",
      verdict: "no measurable difference",
    };
    const figures = forestFigures(cells, "learned", [verdict]);
    expect(figures).toHaveLength(3);
    const names = [...figures[1].svg.matchAll(/text-anchor="end"[^>]*>([a-z-]+)</g)].map((match) => match[1]);
    expect(names).toEqual(["oracle", "learned", "dylan", "vote-first", "chain", "complete"]);
    expect(figures[1].svg.match(/fill="none" stroke="currentColor" stroke-width="1.6"><title>dylan/g)).toHaveLength(1);
  });

  it("join the methods that no other beats in calls and accuracy, without the oracle", () => {
    const points = Object.keys(calls).map((name) => ({
      ...{ name, x: calls[name], y: accuracies[name][1] },
      isReference: name === "oracle",
    }));
    expect(findFront(points).map(({ name }) => name)).toEqual(["vote-first", "learned"]);
    expect(costFigures(cells, "learned")).toHaveLength(2);
  });

  it("draw credits of both sides for each attacked cell", () => {
    const spread = { p10: 0.2, p25: 0.3, p50: 0.5, p75: 0.6, p90: 0.8 };
    const rows = [2, 3, 4].flatMap((round) =>
      (["honest", "adversarial"] as const).flatMap((side) =>
        [0, 3].map((adversaries) => ({
          method: "learned",
          attack: "collude",
          onset: "first",
          adversaries,
          round,
          side,
          ...spread,
        })),
      ),
    );
    const figures = creditFigures(rows, "learned");
    expect(figures).toHaveLength(1);
    expect(figures[0].svg.match(/<polygon/g)).toHaveLength(4);
    for (const name of ["honest", "adversarial", "vote"]) expect(figures[0].svg).toContain(`>${name}</text>`);
  });

  it("spread labels: apart, in their order, and where they belong when there is room", () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 200, noNaN: true }), { maxLength: 12 }), (wanted) => {
        const placed = spreadLabels(wanted, 14, 0, 200);
        const order = wanted.map((_, i) => i).sort((a, b) => wanted[a] - wanted[b] || a - b);
        for (let k = 1; k < order.length; k++)
          expect(placed[order[k]] - placed[order[k - 1]]).toBeGreaterThanOrEqual(14 - 1e-9);
        for (const height of placed) expect(height).toBeLessThanOrEqual(200);
      }),
    );
    expect(spreadLabels([10, 100, 50], 14, 0, 200)).toEqual([10, 100, 50]);
  });

  it("take text and axes from the page, and colours that show on light and on dark", () => {
    expect(drawAccuracy(cells, "learned")).toContain('fill="currentColor"');
    for (const colour of palette) {
      expect(contrast(colour, "#ffffff"), colour).toBeGreaterThanOrEqual(3);
      expect(contrast(colour, "#121212"), colour).toBeGreaterThanOrEqual(3);
    }
  });

  /** Contrast ratio of WCAG 2. */
  function contrast(a: string, b: string): number {
    const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x);
    return (light + 0.05) / (dark + 0.05);
  }

  function luminance(hex: string): number {
    const [r, g, b] = [1, 3, 5].map((at) => {
      const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  }
});

describe("console tables", () => {
  it("align words left and numbers right", () => {
    const table = {
      columns: [{ title: "method" }, { title: "n", align: "right" as const }],
      rows: [
        ["learned", "5"],
        ["x", "120"],
      ],
    };
    expect(consoleTable(table)).toBe("method     n\n-------  ---\nlearned    5\nx        120");
  });

  it("keep columns in line with wide letters and accents", () => {
    const rows = [
      ["專家", "1"],
      ["Größe", "2"],
      ["e\u0301", "3"],
    ];
    const lines = consoleTable({ columns: [{ title: "a" }, { title: "b" }], rows }).split("\n");
    expect(lines.slice(2)).toEqual(["專家   1", "Größe  2", "e\u0301      3"]);
  });

  it("have one line a row and no control characters, whatever the cells", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }))), (rows) => {
        const text = consoleTable({ columns: [{ title: "a" }, { title: "b", align: "right" }], rows });
        expect(text.split("\n")).toHaveLength(rows.length + 2);
        expect(text.replaceAll("\n", "")).not.toMatch(/\p{Cc}/u);
      }),
    );
    expect(consoleTable({ columns: [{ title: "a" }], rows: [["\u001b[31mred"]] })).not.toContain("\u001b");
  });
});

describe("Markdown", () => {
  it("tables keep their columns whatever the cells", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.string(), fc.string())), (rows) => {
        const lines = markdownTable({ columns: [{ title: "a" }, { title: "b", align: "right" }], rows }).split("\n");
        expect(lines).toHaveLength(rows.length + 2);
        for (const line of lines) expect(line.replaceAll(/\\./g, "").match(/\|/g)).toHaveLength(3);
      }),
    );
  });

  it("shows texts as they are", () => {
    expect(escapeMarkdown("a|b *c* <d> & [e](f) x_y\nz")).toBe("a\\|b \\*c\\* &lt;d> &amp; \\[e\\](f) x\\_y z");
  });
});
