/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import { round, roundStep } from "../../charts/round-numbers.ts";
import type { Point } from "./series.ts";

/** One line of a chart. */
export interface Line {
  /** A class of the style sheet, which colours it. */
  readonly look: string;
  readonly points: readonly Point[];
  readonly hasMarkers?: boolean;
}

export interface ChartFrame {
  /** Of the drawing, in pixels. */
  readonly width: number;
  readonly height: number;
  /** The last update of the x axis. */
  readonly steps: number;
  /** What the values cannot leave. */
  readonly bounds?: readonly [number, number];
}

/** Room for the axes' numbers. */
const room = { left: 44, right: 12, top: 8, bottom: 24 };

/** The contents of a chart's `<svg>`. */
export function drawChart(lines: readonly Line[], frame: ChartFrame): SVGElement[] {
  const { width, height, steps, bounds = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY] } = frame;
  const points = lines.flatMap((line) => line.points);
  const marks = ticks(points, bounds, height > 200 ? 5 : 3);
  const [low, high] = [marks[0], marks[marks.length - 1]];
  const scaleX = (x: number): number => round(room.left + (x / Math.max(1, steps)) * (width - room.left - room.right));
  const scaleY = (y: number): number =>
    round(room.top + ((high - y) / (high - low)) * (height - room.top - room.bottom));
  const grid = marks.flatMap((y) => [
    node("line", { class: "grid", x1: room.left, x2: width - room.right, y1: scaleY(y), y2: scaleY(y) }),
    label(room.left - 6, scaleY(y) + 4, "end", formatTick(y, marks[1] - marks[0])),
  ]);
  const numbers = [0, Math.round(steps / 2), steps].map((x, i) =>
    i === 1 && steps < 4
      ? []
      : [label(scaleX(x), height - 6, (["start", "middle", "end"] as const)[i], x.toLocaleString("en-US"))],
  );
  return [...grid, ...numbers.flat(), ...lines.flatMap((line) => drawLine(line, scaleX, scaleY))];
}

function drawLine(
  { look, points, hasMarkers = false }: Line,
  scaleX: (x: number) => number,
  scaleY: (y: number) => number,
): SVGElement[] {
  const path = (places: readonly (readonly [number, number])[]): string =>
    places.map(([x, y]) => `${scaleX(x)},${scaleY(y)}`).join(" ");
  const banded = points.filter(({ low, high }) => low !== undefined && high !== undefined);
  const outline = [
    ...banded.map(({ x, high }) => [x, high!] as const),
    ...banded.map(({ x, low }) => [x, low!] as const).reverse(),
  ];
  const last = points.at(-1);
  const marked = hasMarkers ? points : last === undefined ? [] : [last];
  return [
    ...(banded.length > 1 ? [node("polygon", { class: `band ${look}`, points: path(outline) })] : []),
    ...(points.length > 1
      ? [node("polyline", { class: `line ${look}`, points: path(points.map(({ x, y }) => [x, y])) })]
      : []),
    ...marked.map(({ x, y }) => node("circle", { class: `mark ${look}`, cx: scaleX(x), cy: scaleY(y), r: 3 })),
  ];
}

/** Round numbers from below the least value to above the greatest, about `count` of them; at least two. */
function ticks(points: readonly Point[], [floor, ceiling]: readonly [number, number], count: number): number[] {
  const values = points.flatMap(({ y, low = y, high = y }) => [low, y, high]).filter(Number.isFinite);
  let low = values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  let high = values.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  if (values.length === 0) [low, high] = [0, 1];
  if (high - low < 1e-9) [low, high] = [low - Math.abs(low) / 10 - 1e-3, high + Math.abs(high) / 10 + 1e-3];
  const step = roundStep(high - low, count);
  const first = Math.max(Math.floor(low / step + 1e-9), Math.ceil(floor / step - 1e-9));
  const last = Math.min(Math.ceil(high / step - 1e-9), Math.floor(ceiling / step + 1e-9));
  return Array.from({ length: Math.max(2, last - first + 1) }, (_, i) => (first + i) * step);
}

const formatTick = (value: number, step: number): string =>
  value.toLocaleString("en-US", {
    notation: Math.abs(value) >= 10_000 ? "compact" : "standard",
    maximumFractionDigits: step >= 1 ? 0 : Math.min(6, Math.ceil(-Math.log10(step) - 1e-9)),
  });

function label(x: number, y: number, anchor: "start" | "middle" | "end", text: string): SVGElement {
  const element = node("text", { x, y, "text-anchor": anchor });
  element.textContent = text;
  return element;
}

export function node(name: string, attributes: Readonly<Record<string, string | number>>): SVGElement {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  return element;
}
