import { round } from "./round-numbers.ts";
import { spreadLabels } from "./spread-labels.ts";
import {
  bar,
  characterWidth,
  chartWidth,
  describe,
  escapeXml,
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

/** One value; `low` and `high` bound its interval where it has one, `inner` a narrower one. */
export interface ChartPoint {
  readonly x: number;
  readonly y: number;
  readonly low?: number;
  readonly high?: number;
  readonly inner?: readonly [number, number];
}

export interface ChartLine {
  readonly name: string;
  readonly points: readonly ChartPoint[];
  /** `main` stands out; `faint` is thin and grey, named by its tooltip alone; `reference` is dashed. Default `plain`. */
  readonly look?: "main" | "plain" | "faint" | "reference";
  /** Index into the palette; default: its own among the lines that are not faint. */
  readonly colour?: number;
}

export interface LineChart {
  readonly title: string;
  readonly xLabel: string;
  readonly yLabel: string;
  readonly lines: readonly ChartLine[];
  /** Bounds of the y axis; from the data where absent. */
  readonly yRange?: readonly [number, number];
  /** Ticks of the x axis with their names; round numbers where absent. */
  readonly xTicks?: readonly { readonly at: number; readonly name: string }[];
  /** How intervals are drawn. Default `bars`. */
  readonly intervals?: "bars" | "band";
  /** Whether each point has a marker. Default true. */
  readonly markers?: boolean;
}

const top = 46;
const left = 40;
const plotHeight = 176;
const bottom = top + plotHeight;
const labelGap = 14;
/** Interval bars of different lines at one x stand beside each other, this many pixels apart in all. */
const dodgeWidth = 20;

/**
 * Lines with their names at their right ends. Values can be read as tooltips; points that are not finite (or beyond a
 * billion) are left out.
 */
export function lineChart(chart: LineChart): string {
  const { title, xLabel, yLabel, intervals = "bars", markers = true } = chart;
  const lines = chart.lines
    .map((line) => ({ ...line, points: line.points.filter(({ x, y }) => isPlausible(x) && isPlausible(y)) }))
    .filter(({ points }) => points.length > 0);
  const points = lines.flatMap((line) => line.points);
  const [xLow, xHigh] = span(points.map(({ x }) => x));
  const [yLow, yHigh] = chart.yRange ?? span(points.flatMap(({ y, low = y, high = y }) => [y, low, high]));
  const named = lines.filter(({ look }) => look !== "faint");
  const isNamed = named.length > 1;
  const labelRoom = isNamed
    ? Math.min(135, 20 + characterWidth * Math.max(...named.map(({ name }) => name.length)))
    : 12;
  const right = chartWidth - labelRoom;
  const isDodged = intervals === "bars" && named.length > 1;
  const inset = isDodged ? dodgeWidth / 2 : 0;
  const scaleX = (x: number): number => left + inset + ((x - xLow) / (xHigh - xLow)) * (right - left - 2 * inset);
  const scaleY = (y: number): number => top + ((yHigh - y) / (yHigh - yLow)) * plotHeight;

  // Faint lines lie below; the main one is drawn last.
  const rank = ({ look = "plain" }: ChartLine): number => ["faint", "reference", "plain", "main"].indexOf(look);
  const drawn = lines
    .map((line) => {
      const index = named.indexOf(line);
      const shift = isDodged && index >= 0 ? (index / (named.length - 1) - 0.5) * dodgeWidth : 0;
      const place = (point: Place): Place => ({ x: scaleX(point.x) + shift, y: scaleY(point.y) });
      return { line, part: drawLine(line, colourOf(line, index), line.colour ?? index, place, intervals, markers) };
    })
    .sort((a, b) => rank(a.line) - rank(b.line));
  const xTicks = chart.xTicks ?? ticks(xLow, xHigh).map((at) => ({ at, name: show(at) }));
  return svg(bottom + 44, title, [
    text(0, 14, fitText(title, chartWidth - 10), { weight: "bold" }),
    text(0, 34, yLabel, { opacity: 0.75 }),
    drawAxes(xTicks, ticks(yLow, yHigh), scaleX, scaleY, right),
    text((left + right) / 2, bottom + 38, xLabel, { anchor: "middle" }),
    ...(points.length === 0
      ? [text((left + right) / 2, top + plotHeight / 2, "no data", { anchor: "middle" })]
      : drawn.map(({ part }) => part)),
    isNamed ? drawLabels(named, scaleY, right, labelRoom) : "",
  ]);
}

const colourOf = ({ look, colour }: ChartLine, index: number): string =>
  look === "faint" || look === "reference" ? "currentColor" : palette[(colour ?? index) % palette.length];

function drawLine(
  { name, points, look = "plain" }: ChartLine,
  colour: string,
  shape: number,
  place: (point: Place) => Place,
  intervals: "bars" | "band",
  markers: boolean,
): string {
  const width = { main: 2.6, plain: 1.7, reference: 1.5, faint: 1 }[look];
  const dash = look === "reference" ? ' stroke-dasharray="5 3"' : "";
  const opacity = look === "faint" ? ' stroke-opacity="0.3"' : "";
  const path =
    points.length > 1
      ? `<polyline points="${pathOf(points.map(place))}" fill="none" stroke="${colour}" stroke-width="${width}"${dash}${opacity}><title>${escapeXml(name)}</title></polyline>`
      : "";
  if (look === "faint") return path;
  const marks = markers || points.length === 1 ? points : [];
  return `<g>${[
    intervals === "band" ? drawBands(points, place, colour) : drawBars(points, place, colour),
    path,
    ...marks.map((point) =>
      marker(place(point), { shape, colour, title: `${name} at ${show(point.x)}: ${describe(point)}` }),
    ),
  ].join("")}</g>`;
}

function drawBars(points: readonly ChartPoint[], place: (point: Place) => Place, colour: string): string {
  return points
    .map(({ x, low, high }) =>
      isPlausible(low) && isPlausible(high) ? bar(place({ x, y: low }), place({ x, y: high }), colour) : "",
    )
    .join("");
}

function drawBands(points: readonly ChartPoint[], place: (point: Place) => Place, colour: string): string {
  const band = (bounds: readonly { x: number; low?: number; high?: number }[]): string => {
    const bounded = bounds.filter(({ low, high }) => isPlausible(low) && isPlausible(high));
    if (bounded.length < 2)
      return drawBars(
        bounded.map((one) => ({ ...one, y: 0 })),
        place,
        colour,
      );
    const upper = bounded.map(({ x, high }) => place({ x, y: high! }));
    const lower = bounded.map(({ x, low }) => place({ x, y: low! }));
    return `<polygon points="${pathOf([...upper, ...lower.reverse()])}" fill="${colour}" fill-opacity="0.16"/>`;
  };
  const inner = points.flatMap(({ x, inner }) => (inner === undefined ? [] : [{ x, low: inner[0], high: inner[1] }]));
  return band(points) + band(inner);
}

function drawAxes(
  xTicks: NonNullable<LineChart["xTicks"]>,
  yTicks: readonly number[],
  scaleX: (x: number) => number,
  scaleY: (y: number) => number,
  right: number,
): string {
  const grid = yTicks.map(
    (y) =>
      `<path d="M${left} ${round(scaleY(y))}H${round(right)}" stroke="currentColor" stroke-opacity="0.15"/>` +
      text(left - 6, scaleY(y) + 4, show(y), { anchor: "end" }),
  );
  const marks = xTicks.map(
    ({ at, name }) =>
      `<path d="M${round(scaleX(at))} ${bottom}v4" stroke="currentColor"/>` +
      text(scaleX(at), bottom + 18, name, { anchor: "middle" }),
  );
  const frame = `<path d="M${left} ${top}V${bottom}H${round(right)}" stroke="currentColor" fill="none"/>`;
  return `<g>${[...grid, ...marks, frame].join("")}</g>`;
}

/** Names beside the lines' ends, with a line between where they had to move. */
function drawLabels(lines: readonly ChartLine[], scaleY: (y: number) => number, right: number, room: number): string {
  const ends = lines.map(({ points }) => scaleY(points[points.length - 1].y));
  const heights = spreadLabels(ends, labelGap, top + 4, bottom);
  const labels = lines.map((line, index) => {
    const colour = colourOf(line, index);
    const from = `M${round(right - 2)} ${round(ends[index])}L${round(right + 12)} ${round(heights[index])}`;
    const leader = `<path d="${from}" stroke="${colour}" stroke-opacity="0.7" fill="none"/>`;
    const name = text(right + 15, heights[index] + 4, fitText(line.name, room - 15), {
      weight: line.look === "main" ? "bold" : undefined,
    });
    return leader + name;
  });
  return `<g>${labels.join("")}</g>`;
}
