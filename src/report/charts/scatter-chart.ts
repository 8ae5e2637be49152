import { round } from "./round-numbers.ts";
import {
  characterWidth,
  chartWidth,
  fitText,
  isPlausible,
  marker,
  type Place,
  palette,
  pathOf,
  show,
  span,
  svg,
  text,
  ticks,
} from "./svg.ts";

export interface ScatterPoint {
  readonly name: string;
  readonly x: number;
  readonly y: number;
  readonly isMain?: boolean;
  /** Drawn hollow and kept out of the front: no competitor. */
  readonly isReference?: boolean;
}

export interface ScatterChart {
  readonly title: string;
  readonly xLabel: string;
  readonly yLabel: string;
  readonly points: readonly ScatterPoint[];
}

const top = 46;
const left = 40;
const right = chartWidth - 14;
const plotHeight = 236;
const bottom = top + plotHeight;

/**
 * Points with their names beside them, and a line along those that no other point beats in both ways (less x, more y).
 * Where there is no room a point goes without its name: the front and the main point come first. All have tooltips.
 */
export function scatterChart(chart: ScatterChart): string {
  const points = chart.points.filter(({ x, y }) => isPlausible(x) && isPlausible(y));
  const xHigh = Math.max(1, span(points.map(({ x }) => x))[1]) * 1.06;
  const [yLow, yHigh] = tenthsAround(span(points.map(({ y }) => y)));
  const place = ({ x, y }: Place): Place => ({
    x: left + (x / xHigh) * (right - left),
    y: top + ((yHigh - y) / (yHigh - yLow)) * plotHeight,
  });
  const front = findFront(points);
  const steps = front
    .flatMap((point, k) => (k === 0 ? [point] : [{ x: point.x, y: front[k - 1].y }, point]))
    .map(place);
  return svg(bottom + 44, chart.title, [
    text(0, 14, fitText(chart.title, chartWidth - 10), { weight: "bold" }),
    text(0, 34, chart.yLabel, { opacity: 0.75 }),
    ...ticks(yLow, yHigh).map(
      (y) =>
        `<path d="M${left} ${round(place({ x: 0, y }).y)}H${right}" stroke="currentColor" stroke-opacity="0.15"/>${text(left - 6, place({ x: 0, y }).y + 4, show(y), { anchor: "end" })}`,
    ),
    ...ticks(0, xHigh).map(
      (x) =>
        `<path d="M${round(place({ x, y: yLow }).x)} ${bottom}v4" stroke="currentColor"/>${text(place({ x, y: yLow }).x, bottom + 18, show(x), { anchor: "middle" })}`,
    ),
    `<path d="M${left} ${top}V${bottom}H${right}" stroke="currentColor" fill="none"/>`,
    text((left + right) / 2, bottom + 38, chart.xLabel, { anchor: "middle" }),
    front.length > 1
      ? `<polyline points="${pathOf(steps)}" fill="none" stroke="${palette[1]}" stroke-opacity="0.8"/>`
      : "",
    ...points
      .toSorted((a, b) => Number(a.isMain ?? false) - Number(b.isMain ?? false))
      .map((point) =>
        marker(place(point), {
          shape: point.isMain ? 2 : 0,
          colour: point.isMain ? palette[0] : front.includes(point) ? palette[1] : "currentColor",
          title: `${point.name}: ${show(point.y)} at ${show(point.x)} ${chart.xLabel}`,
          hollow: point.isReference,
        }),
      ),
    ...placeNames(points, front, place, steps),
  ]);
}

/** The tenths that hold a range of shares, with some room. */
const tenthsAround = ([low, high]: readonly [number, number]): [number, number] => [
  Math.max(0, Math.floor(low * 10 - 0.2) / 10),
  Math.min(1, Math.ceil(high * 10 + 0.2) / 10),
];

/** The points that no other one beats, from left to right. */
export function findFront(points: readonly ScatterPoint[]): ScatterPoint[] {
  const competing = points.filter(({ isReference }) => !isReference).toSorted((a, b) => a.x - b.x || b.y - a.y);
  let best = Number.NEGATIVE_INFINITY;
  return competing.filter(({ y }) => {
    const isBest = y > best;
    best = Math.max(best, y);
    return isBest;
  });
}

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A straight piece of the line, level or upright. */
const between = (a: Place, b: Place): Box => ({
  x: Math.min(a.x, b.x),
  y: Math.min(a.y, b.y) - 1,
  width: Math.abs(a.x - b.x) + 1,
  height: Math.abs(a.y - b.y) + 2,
});

const overlap = (a: Box, b: Box): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

/** Each name to the right, left, above or below its point, wherever nothing stands yet. */
function placeNames(
  points: readonly ScatterPoint[],
  front: readonly ScatterPoint[],
  place: (point: Place) => Place,
  steps: readonly Place[],
): string[] {
  const marks = points.map(place).map(({ x, y }): Box => ({ x: x - 5, y: y - 5, width: 10, height: 10 }));
  const lines = steps.slice(1).map((end, k): Box => between(steps[k], end));
  const taken = [...marks, ...lines];
  const rank = (point: ScatterPoint): number =>
    point.isMain ? 0 : front.includes(point) ? 1 : point.isReference ? 2 : 3;
  return points
    .toSorted((a, b) => rank(a) - rank(b))
    .flatMap((point) => {
      const { x, y } = place(point);
      const width = characterWidth * point.name.length + 2;
      const choices: readonly [number, number, "start" | "end" | "middle"][] = [
        [x + 8, y + 4, "start"],
        [x - 8, y + 4, "end"],
        [x + 4, y - 7, "start"],
        [x - 4, y - 7, "end"],
        [x + 6, y + 15, "start"],
        [x, y - 9, "middle"],
        [x, y + 17, "middle"],
      ];
      for (const [textX, textY, anchor] of choices) {
        const start = anchor === "start" ? textX : anchor === "end" ? textX - width : textX - width / 2;
        const box = { x: start, y: textY - 10, width, height: 13 };
        const isInside = start >= left + 2 && start + width <= chartWidth && box.y >= top - 8 && textY < bottom - 1;
        if (!isInside || taken.some((other) => overlap(other, box))) continue;
        taken.push(box);
        return [text(textX, textY, point.name, { anchor, weight: point.isMain ? "bold" : undefined })];
      }
      return [];
    });
}
