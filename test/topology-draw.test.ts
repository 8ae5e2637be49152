import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { drawDot, drawMermaid, graphFromEdges } from "../src/topology/index.ts";

const graph = graphFromEdges(
  [
    [0, 1],
    [1, 3],
  ],
  [1, 1, 0, 1],
);

const captions = {
  labelsN: ["Ada", "Größe 專家", 'say "hi"', ""],
  creditsN: [1, -0.254, 0, 2],
  marksN: [null, "adversary"],
};

describe("a drawing of a graph", () => {
  it("shows names, credits, marks, edges and absent agents as Mermaid", () => {
    expect(drawMermaid(graph, captions)).toBe(
      [
        "flowchart TD",
        '  a0["Ada<br/>credit 1.00"]',
        '  a1["Größe 專家<br/>credit -0.25<br/>adversary"]',
        '  a2["say #34;hi#34;<br/>credit 0.00"]',
        '  a3["agent 3<br/>credit 2.00"]',
        "  a0 --> a1",
        "  a1 --> a3",
        "  classDef absent stroke-dasharray:4 3",
        "  class a2 absent",
        "  classDef marked stroke-width:3px",
        "  class a1 marked",
        "",
      ].join("\n"),
    );
  });

  it("shows the same as DOT", () => {
    expect(drawDot(graph, captions)).toBe(
      [
        "digraph round {",
        "  node [shape=box]",
        '  a0 [label="Ada\\ncredit 1.00"]',
        '  a1 [label="Größe 專家\\ncredit -0.25\\nadversary", penwidth=3]',
        '  a2 [label="say \\"hi\\"\\ncredit 0.00", style=dashed]',
        '  a3 [label="agent 3\\ncredit 2.00"]',
        "  a0 -> a1",
        "  a1 -> a3",
        "}",
        "",
      ].join("\n"),
    );
  });

  it("needs no captions", () => {
    expect(drawMermaid(graph)).toContain('a2["agent 2"]');
    expect(drawDot(graph)).toContain('a2 [label="agent 2", style=dashed]');
  });

  const hostile = fc.oneof(
    fc.string({ unit: "binary" }),
    fc
      .array(
        fc.constantFrom(
          '"',
          "]",
          "[",
          "\n",
          "\r\n",
          "-->",
          "->",
          "\\",
          "%%",
          ";",
          "#quot;",
          "`",
          "end",
          "<b>",
          "&",
          "\u2028",
          "\u202e",
          "\ud800",
        ),
      )
      .map((parts) => parts.join("")),
  );
  const four = fc.array(hostile, { minLength: 4, maxLength: 4 });

  it("cannot be broken by a name or a mark: Mermaid", () => {
    fc.assert(
      fc.property(four, four, (labelsN, marksN) => {
        const lines = drawMermaid(graph, { labelsN, marksN }).trimEnd().split("\n");
        expect(lines[0]).toBe("flowchart TD");
        for (const [i, line] of lines.slice(1, 5).entries()) {
          expect(line).toMatch(new RegExp(`^ {2}a${i}\\["([\\p{L}\\p{M}\\p{N} .,:_…-]|#\\d+;|<br/>)+"\\]$`, "u"));
        }
        expect(lines.slice(5, 7)).toEqual(["  a0 --> a1", "  a1 --> a3"]);
        for (const line of lines.slice(7)) expect(line).toMatch(/^ {2}(classDef|class) [\w ,:-]+$/);
      }),
    );
  });

  it("cannot be broken by a name or a mark: DOT", () => {
    fc.assert(
      fc.property(four, four, (labelsN, marksN) => {
        const lines = drawDot(graph, { labelsN, marksN }).trimEnd().split("\n");
        for (const [i, line] of lines.slice(2, 6).entries()) {
          expect(line).toMatch(
            new RegExp(`^ {2}a${i} \\[label="([^"\\\\]|\\\\\\\\|\\\\"|\\\\n)+"(, style=dashed)?(, penwidth=3)?\\]$`),
          );
        }
        expect(lines.slice(6)).toEqual(["  a0 -> a1", "  a1 -> a3", "}"]);
      }),
    );
  });

  it("cuts names that are far too long", () => {
    const text = drawMermaid(graph, { labelsN: ["x".repeat(10_000), "😀".repeat(10_000)] });
    expect(text).toContain(`a0["${"x".repeat(59)}…"]`);
    expect(text.length).toBeLessThan(1500);
  });
});
