import { html, svg } from "./create.ts";
import { drawMark, type NodeLook } from "./draw-node.ts";

const plain: NodeLook = {
  radius: 9,
  answer: "B",
  isAttacking: false,
  isRight: false,
  isQuiet: false,
  turnsNow: false,
};

/** What shapes, fills and lines mean. */
export function drawLegend(): HTMLElement {
  return html(
    "ul",
    { class: "legend", "aria-label": "Legend" },
    entry("honest", drawMark(plain)),
    entry("attacks", drawMark({ ...plain, isAttacking: true })),
    entry("turns in this round", drawMark({ ...plain, isAttacking: true, turnsNow: true })),
    entry("filled: right answer", drawMark({ ...plain, isRight: true })),
    entry("quiet: keeps its last output", drawMark({ ...plain, radius: 8, isQuiet: true })),
    entry(
      "size: credit",
      drawMark({ ...plain, radius: 5 }),
      svg("g", { transform: "translate(16 0)" }, drawMark(plain)),
    ),
    entry("hears, left to right", line("edges")),
    entry("hears what was said before", line("edges earlier")),
    entry("pointed at: hears", line("in")),
    entry("pointed at: is heard by", line("out")),
  );
}

function entry(text: string, ...marks: SVGElement[]): HTMLElement {
  const width = marks.length > 1 ? 42 : 30;
  const swatch = svg("svg", { viewBox: `-15 -15 ${width} 30`, width, height: 30, "aria-hidden": "true" }, ...marks);
  return html("li", {}, swatch, html("span", {}, text));
}

const line = (name: string): SVGElement => svg("path", { class: name, d: "M-13 4C-2 4 0-4 12-4M8.5-7L12-4L8.5-1" });
