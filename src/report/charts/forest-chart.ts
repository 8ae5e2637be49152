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
  svg,
  text,
  ticks,
} from "./svg.ts";

/** One line of a forest chart: a share in [0, 1] with its interval. */
export interface ForestRow {
  readonly name: string;
  readonly y: number;
  readonly low: number;
  readonly high: number;
  /** Stands out. */
  readonly isMain?: boolean;
  /** Drawn hollow: no measurable difference from the main row. */
  readonly isLevel?: boolean;
}

const rowHeight = 18;
const top = 28;

/** Shares with intervals below each other, each by its name; a dashed line goes down from the main one. */
export function forestChart({
  title,
  label,
  rows: given,
}: {
  readonly title: string;
  readonly label: string;
  readonly rows: readonly ForestRow[];
}): string {
  const rows = given.filter(({ y, low, high }) => [y, low, high].every(isPlausible));
  const nameRoom = Math.min(190, 14 + characterWidth * Math.max(0, ...rows.map(({ name }) => name.length)));
  const right = chartWidth - 44;
  const bottom = top + rows.length * rowHeight + 4;
  const scale = (value: number): number => nameRoom + Math.min(1, Math.max(0, value)) * (right - nameRoom);
  const main = rows.find(({ isMain }) => isMain);
  return svg(bottom + 42, title, [
    text(0, 14, fitText(title, chartWidth - 10), { weight: "bold" }),
    ...ticks(0, 1).map(
      (at) =>
        `<path d="M${round(scale(at))} ${top}V${bottom}" stroke="currentColor" stroke-opacity="0.15"/>${text(scale(at), bottom + 16, show(at), { anchor: "middle" })}`,
    ),
    main === undefined
      ? ""
      : `<path d="M${round(scale(main.y))} ${top}V${bottom}" stroke="${palette[0]}" stroke-dasharray="4 3"/>`,
    ...rows.map((row, index) => drawRow(row, top + (index + 0.5) * rowHeight, scale, nameRoom)),
    text((nameRoom + right) / 2, bottom + 35, label, { anchor: "middle" }),
  ]);
}

function drawRow(row: ForestRow, y: number, scale: (value: number) => number, nameRoom: number): string {
  const { name, low, high, isMain = false, isLevel = false } = row;
  const colour = isMain ? palette[0] : "currentColor";
  const weight = isMain ? "bold" : undefined;
  return [
    text(nameRoom - 10, y + 4, fitText(name, nameRoom - 10), { anchor: "end", weight }),
    bar({ x: scale(low), y }, { x: scale(high), y }, colour),
    marker(
      { x: scale(row.y), y },
      { shape: isMain ? 2 : 0, colour, title: `${name}: ${describe(row)}`, hollow: isLevel },
    ),
    text(chartWidth, y + 4, row.y.toFixed(2).replace(/^0/, ""), { anchor: "end", weight }),
  ].join("");
}
