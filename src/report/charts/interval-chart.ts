import { round } from "./round-numbers.ts";
import {
  bar,
  characterWidth,
  chartWidth,
  describe,
  fitText,
  isPlausible,
  marker,
  palette,
  show,
  span,
  svg,
  text,
  ticks,
} from "./svg.ts";

/** A value with its interval, on any scale. */
export interface IntervalRow {
  readonly name: string;
  readonly y: number;
  readonly low: number;
  readonly high: number;
  readonly isMain?: boolean;
  /** Index into the palette. */
  readonly colour?: number;
}

const rowHeight = 20;
const top = 28;

/** Values with intervals below each other, each by its name; 0 is on the axis, and marked. */
export function intervalChart({
  title,
  label,
  rows: given,
}: {
  readonly title: string;
  readonly label: string;
  readonly rows: readonly IntervalRow[];
}): string {
  const rows = given.filter(({ y, low, high }) => [y, low, high].every(isPlausible));
  const [low, high] = span([0, ...rows.flatMap((row) => [row.low, row.high])]);
  const nameRoom = Math.min(200, 14 + characterWidth * Math.max(0, ...rows.map(({ name }) => name.length)));
  const right = chartWidth - 48;
  const bottom = top + rows.length * rowHeight + 4;
  const scale = (value: number): number => nameRoom + 6 + ((value - low) / (high - low)) * (right - nameRoom - 12);
  return svg(bottom + 42, title, [
    text(0, 14, fitText(title, chartWidth - 10), { weight: "bold" }),
    ...ticks(low, high).map(
      (at) =>
        `<path d="M${round(scale(at))} ${top}V${bottom}" stroke="currentColor" stroke-opacity="${Math.abs(at) < 1e-9 ? 0.7 : 0.15}"/>${text(scale(at), bottom + 16, show(at), { anchor: "middle" })}`,
    ),
    ...rows.map((row, index) => {
      const y = top + (index + 0.5) * rowHeight;
      const { name, isMain = false, colour } = row;
      const paint = colour === undefined ? "currentColor" : palette[colour % palette.length];
      const weight = isMain ? "bold" : undefined;
      return [
        text(nameRoom - 8, y + 4, fitText(name, nameRoom - 8), { anchor: "end", weight }),
        bar({ x: scale(row.low), y }, { x: scale(row.high), y }, paint),
        marker({ x: scale(row.y), y }, { shape: isMain ? 2 : 0, colour: paint, title: `${name}: ${describe(row)}` }),
        text(chartWidth, y + 4, row.y.toFixed(Math.abs(row.y) < 10 ? 2 : 1).replace("-", "−"), {
          anchor: "end",
          weight,
        }),
      ].join("");
    }),
    text((nameRoom + right) / 2, bottom + 35, label, { anchor: "middle" }),
  ]);
}
