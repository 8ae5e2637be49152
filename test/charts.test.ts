import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { consoleTable, escapeMarkdown, markdownTable } from "../src/base/table.ts";
import { accuracyChart, type ChartSeries, chart, learningCurve, palette } from "../src/report/charts.ts";
import { markdownPage } from "../src/report/markdown.ts";

const methods: ChartSeries[] = [
  {
    name: "learned",
    points: [
      { x: 0, y: 0.69, low: 0.6, high: 0.77 },
      { x: 0.5, y: 0.61, low: 0.52, high: 0.7 },
    ],
  },
  {
    name: "complete",
    points: [
      { x: 0, y: 0.67, low: 0.58, high: 0.75 },
      { x: 0.5, y: 0.04, low: 0.01, high: 0.1 },
    ],
  },
];

const anyNumber = fc.oneof(
  fc.double(),
  fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY),
);
const anyPoint = fc.record(
  { x: anyNumber, y: anyNumber, low: anyNumber, high: anyNumber },
  { requiredKeys: ["x", "y"] },
);
const anySeries = fc.array(fc.record({ name: fc.string(), points: fc.array(anyPoint, { maxLength: 6 }) }), {
  maxLength: 20,
});

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
  it("draw one interval bar, one marker and one tooltip for each point", () => {
    const svg = accuracyChart(methods);
    expect(svg.match(/h6M/g)).toHaveLength(4);
    expect(svg).toContain("<title>learned at 0.5: 0.61 [0.52, 0.7]</title>");
    expect(svg.match(/<polyline/g)).toHaveLength(2 + 2);
    expect(svg).toContain(">attack rate</text>");
  });

  it("put greater values higher", () => {
    const heights = [...accuracyChart(methods).matchAll(/<path d="M[\d.]+ ([\d.]+)m[^>]*><title>complete at/g)];
    const [clean, attacked] = heights.map((match) => Number(match[1]));
    expect(clean).toBeLessThan(attacked);
  });

  it("draw a learning curve with a band for its interval", () => {
    const points = [0, 10, 20].map((x) => ({ x, y: 0.5 + x / 100, low: 0.4 + x / 100, high: 0.6 + x / 100 }));
    const svg = learningCurve([{ name: "seed 1", points }]);
    expect(svg.match(/<polygon/g)).toHaveLength(1);
    expect(svg).toContain(">step</text>");
  });

  it("say so when there is no data", () => {
    expect(accuracyChart([])).toContain("no data");
    expect(learningCurve([{ name: "seed 1", points: [] }])).toContain("no data");
  });

  it("are well-formed and never hold NaN or Infinity, whatever the numbers and names", () => {
    fc.assert(
      fc.property(
        anySeries,
        fc.constantFrom("bars" as const, "band" as const),
        fc.boolean(),
        (series, intervals, joined) => {
          const svg = chart({ title: "t", xLabel: "x", yLabel: "y", series, intervals, joined });
          expect(isWellFormed(svg)).toBe(true);
          expect(svg.replace(/<(title|text)[^>]*>[^<]*/g, "")).not.toMatch(/NaN|Infinity/);
        },
      ),
    );
  });

  it("let no name become markup", () => {
    const svg = accuracyChart([{ name: `</text><script>alert("1")</script>`, points: [{ x: 0, y: 0.5 }] }]);
    expect(svg).not.toContain("<script");
    expect(isWellFormed(svg)).toBe(true);
  });

  it("take text and axes from the page, and colours that show on light and on dark", () => {
    expect(accuracyChart(methods)).toContain('fill="currentColor"');
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

  it("pages hold title, lead, command and sections in order", () => {
    const page = markdownPage({
      title: "Evaluation",
      lead: "No measurable gain.",
      command: "colloquy evaluate x # ```",
      sections: [{ heading: "Accuracy", text: "By method.", table: { columns: [{ title: "method" }], rows: [["a"]] } }],
    });
    expect(page).toBe(
      "# Evaluation\n\nNo measurable gain.\n\n````sh\ncolloquy evaluate x # ```\n````\n\n## Accuracy\n\nBy method.\n\n| method |\n| --- |\n| a |\n",
    );
  });
});
