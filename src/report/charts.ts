/** One value; `low` and `high` bound its interval where it has one. */
export interface ChartPoint {
  readonly x: number;
  readonly y: number;
  readonly low?: number;
  readonly high?: number;
}

export interface ChartSeries {
  readonly name: string;
  readonly points: readonly ChartPoint[];
}

export interface ChartSettings {
  readonly title: string;
  readonly xLabel: string;
  readonly yLabel: string;
  readonly series: readonly ChartSeries[];
  /** Bounds of the y axis; from the data where absent. */
  readonly yRange?: readonly [number, number];
  /** Places of the x axis' ticks; round numbers where absent. */
  readonly xTicks?: readonly number[];
  /** How intervals are drawn. Default `bars`. */
  readonly intervals?: "bars" | "band";
  /** Whether points of a series are joined. Default true. */
  readonly joined?: boolean;
}

/** Accuracy against attack rate, one line a method, with interval bars. */
export function accuracyChart(series: readonly ChartSeries[]): string {
  const xTicks = [...new Set(series.flatMap(({ points }) => points.map(({ x }) => x)))].sort((a, b) => a - b);
  const labels = { title: "Accuracy against attack rate", xLabel: "attack rate", yLabel: "accuracy" };
  return chart({ ...labels, series, xTicks, yRange: [0, 1] });
}

/** A measure by training step, one line a seed (or one, with a band for its interval). */
export function learningCurve(series: readonly ChartSeries[], yLabel = "validation accuracy"): string {
  return chart({ title: "Learning curve", xLabel: "step", yLabel, series, intervals: "band" });
}

/** Readable on white and on near-black paper (contrast of at least 3 to both); dashes and markers tell lines apart without colour. */
export const palette = [
  "#0072b2",
  "#d55e00",
  "#0b8a68",
  "#b0519a",
  "#8a6d00",
  "#7a62d3",
  "#d0384c",
  "#5b7a99",
] as const;
const DASHES = ["", "6 3", "2 3"];
const WIDTH = 680;
const PLOT = { left: 56, top: 34, width: 450, height: 260 };
const LEGEND_LINE = 18;
/** Interval bars of different series at one x stand beside each other, this many pixels apart in all; the plot keeps that room free. */
const DODGE = 28;

/**
 * A chart as one self-contained SVG: no script, no fonts, no network. Text and axes take the colour of the page around it,
 * so that it works in dark, in light and in print; values can be read as `<title>`s. Points that are not finite
 * (or beyond a billion) are left out.
 */
export function chart(settings: ChartSettings): string {
  const { title, xLabel, yLabel, intervals = "bars", joined = true } = settings;
  const series = settings.series.map(({ name, points }) => ({ name, points: points.filter(isDrawable) }));
  const points = series.flatMap((one) => one.points);
  const [xLow, xHigh] = span(points.map(({ x }) => x));
  const [yLow, yHigh] = settings.yRange ?? span(points.flatMap(({ y, low = y, high = y }) => [y, low, high]));
  const scaleX = (x: number): number => PLOT.left + DODGE / 2 + ((x - xLow) / (xHigh - xLow)) * (PLOT.width - DODGE);
  const scaleY = (y: number): number => PLOT.top + ((yHigh - y) / (yHigh - yLow)) * PLOT.height;
  const dodge = (index: number): number =>
    intervals === "bars" && joined && series.length > 1 ? (index / (series.length - 1) - 0.5) * DODGE : 0;

  const lines = series.map((one, index) => {
    const colour = palette[index % palette.length];
    const place = ({ x, y }: { x: number; y: number }): Place => ({ x: scaleX(x) + dodge(index), y: scaleY(y) });
    const parts = [drawIntervals(one.points, place, colour, intervals)];
    if (joined && one.points.length > 1) parts.push(drawLine(one.points.map(place), colour, index));
    for (const point of one.points) {
      parts.push(drawMarker(place(point), colour, index, `${one.name} at ${show(point.x)}: ${describe(point)}`));
    }
    return `<g>${parts.join("")}</g>`;
  });
  const height = Math.max(PLOT.top + PLOT.height + 56, PLOT.top + series.length * LEGEND_LINE + 12);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-label="${escapeXml(title)}" font-family="system-ui, sans-serif" font-size="12" fill="currentColor">`,
    `<title>${escapeXml(title)}</title>`,
    text(PLOT.left, 18, title, { anchor: "start", weight: "bold" }),
    drawAxes(settings.xTicks ?? ticks(xLow, xHigh), ticks(yLow, yHigh), scaleX, scaleY),
    text(PLOT.left + PLOT.width / 2, PLOT.top + PLOT.height + 42, xLabel, { anchor: "middle" }),
    `<g transform="translate(14 ${PLOT.top + PLOT.height / 2}) rotate(-90)">${text(0, 0, yLabel, { anchor: "middle" })}</g>`,
    ...(points.length === 0
      ? [text(PLOT.left + PLOT.width / 2, PLOT.top + PLOT.height / 2, "no data", { anchor: "middle" })]
      : lines),
    drawLegend(
      series.map(({ name }) => name),
      joined,
    ),
    "</svg>",
  ].join("\n");
}

interface Place {
  readonly x: number;
  readonly y: number;
}

/** No measure goes beyond a billion; what does is an error of its source and would squash the rest. */
const isPlausible = (value: number | undefined): value is number => value !== undefined && Math.abs(value) <= 1e9;

const isDrawable = ({ x, y }: ChartPoint): boolean => isPlausible(x) && isPlausible(y);

/** Least and greatest; a single value gets some room on both sides. */
function span(values: readonly number[]): [number, number] {
  const drawn = values.filter(isPlausible);
  if (drawn.length === 0) return [0, 1];
  const low = drawn.reduce((a, b) => Math.min(a, b));
  const high = drawn.reduce((a, b) => Math.max(a, b));
  return high - low < 1e-9 ? [low - 0.5, high + 0.5] : [low, high];
}

/** Two to six round numbers (1, 2 or 5 times a power of ten) from `low` to `high`. */
function ticks(low: number, high: number): number[] {
  const rough = (high - low) / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5].find((factor) => factor * power >= rough) ?? 10);
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => (first + i) * step);
}

function drawIntervals(
  points: readonly ChartPoint[],
  place: (point: Place) => Place,
  colour: string,
  kind: "bars" | "band",
): string {
  const bounded = points.flatMap(({ x, low, high }) =>
    isPlausible(low) && isPlausible(high) ? [{ low: place({ x, y: low }), high: place({ x, y: high }) }] : [],
  );
  if (kind === "band" && bounded.length > 1) {
    const outline = [...bounded.map(({ high }) => high), ...bounded.map(({ low }) => low).reverse()];
    return `<polygon points="${path(outline)}" fill="${colour}" fill-opacity="0.18"/>`;
  }
  return bounded
    .map(({ low, high }) => {
      const [x, bottom, top] = [round(low.x), round(low.y), round(high.y)];
      return `<path d="M${x} ${bottom}V${top}M${x - 3} ${bottom}h6M${x - 3} ${top}h6" stroke="${colour}" fill="none"/>`;
    })
    .join("");
}

function drawLine(places: readonly Place[], colour: string, index: number): string {
  const dash = DASHES[Math.floor(index / palette.length) % DASHES.length];
  return `<polyline points="${path(places)}" fill="none" stroke="${colour}" stroke-width="1.8"${dash && ` stroke-dasharray="${dash}"`}/>`;
}

/** Circle, square, diamond, triangle in turn. */
function drawMarker({ x, y }: Place, colour: string, index: number, title: string): string {
  const shapes = [
    "m-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z",
    "m-3.5 -3.5h7v7h-7z",
    "m0 -5l5 5l-5 5l-5 -5z",
    "m0 -5l4.5 8h-9z",
  ];
  return `<path d="M${round(x)} ${round(y)}${shapes[index % shapes.length]}" fill="${colour}"><title>${escapeXml(title)}</title></path>`;
}

function drawAxes(
  xTicks: readonly number[],
  yTicks: readonly number[],
  scaleX: (x: number) => number,
  scaleY: (y: number) => number,
): string {
  const right = PLOT.left + PLOT.width;
  const bottom = PLOT.top + PLOT.height;
  const grid = yTicks.map(
    (y) =>
      `<path d="M${PLOT.left} ${round(scaleY(y))}H${right}" stroke="currentColor" stroke-opacity="0.18"/>` +
      text(PLOT.left - 8, scaleY(y) + 4, show(y), { anchor: "end" }),
  );
  const marks = xTicks.map(
    (x) =>
      `<path d="M${round(scaleX(x))} ${bottom}v5" stroke="currentColor"/>` +
      text(scaleX(x), bottom + 20, show(x), { anchor: "middle" }),
  );
  const frame = `<path d="M${PLOT.left} ${PLOT.top}V${bottom}H${right}" stroke="currentColor" fill="none"/>`;
  return `<g>${[...grid, ...marks, frame].join("")}</g>`;
}

function drawLegend(names: readonly string[], joined: boolean): string {
  const left = PLOT.left + PLOT.width + 24;
  return `<g>${names
    .map((name, index) => {
      const y = PLOT.top + 8 + index * LEGEND_LINE;
      const colour = palette[index % palette.length];
      const line = joined
        ? drawLine(
            [
              { x: left, y },
              { x: left + 24, y },
            ],
            colour,
            index,
          )
        : "";
      return (
        line + drawMarker({ x: left + 12, y }, colour, index, name) + text(left + 32, y + 4, name, { anchor: "start" })
      );
    })
    .join("")}</g>`;
}

function text(x: number, y: number, content: string, { anchor, weight }: { anchor: string; weight?: string }): string {
  const bold = weight ? ` font-weight="${weight}"` : "";
  return `<text x="${round(x)}" y="${round(y)}" text-anchor="${anchor}"${bold}>${escapeXml(content)}</text>`;
}

const describe = ({ y, low, high }: ChartPoint): string =>
  low === undefined || high === undefined ? show(y) : `${show(y)} [${show(low)}, ${show(high)}]`;

const path = (places: readonly Place[]): string => places.map(({ x, y }) => `${round(x)},${round(y)}`).join(" ");

/** Tenths of a pixel are enough, and keep the bytes equal everywhere. */
const round = (value: number): number => Math.round(value * 10) / 10;

/** Three significant decimals at most. */
const show = (value: number): string => String(Math.round(value * 1000) / 1000);

const escapeXml = (content: string): string =>
  content
    .replace(/[\p{Cc}\p{Cs}\p{Bidi_Control}\uFFFE\uFFFF]/gu, " ")
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;")
    .replace(/"/g, "&quot;");
