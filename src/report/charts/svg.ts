import { round, roundStep } from "./round-numbers.ts";

/*
 * What all drawings share. Each is one self-contained SVG, as wide as a phone: no script, no fonts, no network. Text and
 * axes take the colour of the page around it, so that it works in dark, in light and in print.
 */

/** Readable on white and on near-black paper (contrast of at least 3 to both). */
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

export interface Place {
  readonly x: number;
  readonly y: number;
}

/** Of every drawing; the page may scale it. */
export const chartWidth = 380;

/** Of one character of the usual 12 pixels, about. */
export const characterWidth = 7;

/** @param title read out instead of the drawing */
export function svg(height: number, title: string, parts: readonly string[], width = chartWidth): string {
  const name = escapeXml(title);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${round(height)}" width="${width}" height="${round(height)}" role="img" aria-label="${name}" font-family="system-ui, sans-serif" font-size="12" fill="currentColor">`,
    `<title>${name}</title>`,
    ...parts.filter((part) => part !== ""),
    "</svg>",
  ].join("\n");
}

/** Whole drawings beside each other, in rows of `columns`. */
export function sideBySide(drawings: readonly string[], title: string, columns = 2): string {
  const heightOf = (drawing: string): number => Number(/viewBox="0 0 [\d.]+ ([\d.]+)"/.exec(drawing)?.[1] ?? 0);
  const parts: string[] = [];
  let top = 0;
  for (let start = 0; start < drawings.length; start += columns) {
    const row = drawings.slice(start, start + columns);
    parts.push(...row.map((one, k) => one.replace("<svg ", `<svg x="${k * (chartWidth + 20)}" y="${round(top)}" `)));
    top += Math.max(...row.map(heightOf)) + 16;
  }
  const across = Math.max(1, Math.min(columns, drawings.length));
  return svg(Math.max(1, top - 16), title, parts, across * (chartWidth + 20) - 20);
}

export function text(
  x: number,
  y: number,
  content: string,
  {
    anchor = "start",
    weight,
    opacity,
  }: { anchor?: "start" | "middle" | "end"; weight?: "bold"; opacity?: number } = {},
): string {
  const extra = `${weight ? ` font-weight="${weight}"` : ""}${opacity === undefined ? "" : ` fill-opacity="${opacity}"`}`;
  return `<text x="${round(x)}" y="${round(y)}" text-anchor="${anchor}"${extra}>${escapeXml(content)}</text>`;
}

/** As much of a text as fits, by a rough measure. */
export const fitText = (content: string, width: number): string => {
  const most = Math.max(1, Math.floor(width / characterWidth));
  return content.length <= most ? content : `${content.slice(0, most - 1)}…`;
};

export const pathOf = (places: readonly Place[]): string =>
  places.map(({ x, y }) => `${round(x)},${round(y)}`).join(" ");

/** Circle, square, diamond, triangle in turn. */
export function marker(
  { x, y }: Place,
  { shape, colour, title, hollow = false }: { shape: number; colour: string; title: string; hollow?: boolean },
): string {
  const shapes = [
    "m-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z",
    "m-3.5 -3.5h7v7h-7z",
    "m0 -5l5 5l-5 5l-5 -5z",
    "m0 -5l4.5 8h-9z",
  ];
  const paint = hollow ? `fill="none" stroke="${colour}" stroke-width="1.6"` : `fill="${colour}"`;
  return `<path d="M${round(x)} ${round(y)}${shapes[shape % shapes.length]}" ${paint}><title>${escapeXml(title)}</title></path>`;
}

/** An interval as a bar with ends. */
export function bar(low: Place, high: Place, colour: string): string {
  const [a, b, c, d] = [low.x, low.y, high.x, high.y].map(round);
  const d1 =
    a === c ? `M${a} ${b}V${d}M${a - 3} ${b}h6M${a - 3} ${d}h6` : `M${a} ${b}H${c}M${a} ${b - 3}v6M${c} ${b - 3}v6`;
  return `<path d="${d1}" stroke="${colour}" fill="none"/>`;
}

/** No measure goes beyond a billion; what does is an error of its source and would squash the rest. */
export const isPlausible = (value: number | undefined): value is number =>
  value !== undefined && Math.abs(value) <= 1e9;

/** Least and greatest; a single value gets some room on both sides. */
export function span(values: readonly number[]): [number, number] {
  const drawn = values.filter(isPlausible);
  if (drawn.length === 0) return [0, 1];
  const low = drawn.reduce((a, b) => Math.min(a, b));
  const high = drawn.reduce((a, b) => Math.max(a, b));
  return high - low < 1e-9 ? [low - 0.5, high + 0.5] : [low, high];
}

/** Two to six round numbers (1, 2 or 5 times a power of ten) from `low` to `high`. */
export function ticks(low: number, high: number): number[] {
  const step = roundStep(high - low, 5);
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => (first + i) * step);
}

/** Three decimals at most. */
export const show = (value: number): string => String(Math.round(value * 1000) / 1000);

/** A value with its interval, where it has one. */
export const describe = ({ y, low, high }: { y: number; low?: number; high?: number }): string =>
  low === undefined || high === undefined ? show(y) : `${show(y)} [${show(low)}, ${show(high)}]`;

export const escapeXml = (content: string): string =>
  content
    .replace(/[\p{Cc}\p{Cs}\p{Bidi_Control}\uFFFE\uFFFF]/gu, " ")
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;")
    .replace(/"/g, "&quot;");
