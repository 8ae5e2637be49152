import { round } from "./round-numbers.ts";
import { characterWidth, escapeXml, fitText, isPlausible, palette, svg, text } from "./svg.ts";

export interface HeatMap {
  readonly title: string;
  /** Of rows and columns alike; columns are called by their numbers. */
  readonly names: readonly string[];
  /** What rows and columns stand for, in few words. */
  readonly corner: string;
  /** Row, column, count. Absent ones are 0. */
  readonly cells: readonly (readonly [number, number, number])[];
}

const top = 24;

/**
 * Counts of pairs as a square of shaded cells; where there is room the counts stand in them, and they are always tooltips.
 * The title is read out, not shown.
 */
export function heatMap({ title, names, corner, cells }: HeatMap): string {
  const size = names.length <= 12 ? 28 : names.length <= 20 ? 24 : 15;
  const nameRoom = Math.min(170, 12 + characterWidth * Math.max(corner.length, ...names.map((name) => name.length)));
  const drawn = cells.filter(
    ([row, column, count]) => row < names.length && column < names.length && isPlausible(count) && count > 0,
  );
  const most = drawn.reduce((highest, [, , count]) => Math.max(highest, count), 1);
  const area = size * names.length;
  const lines = names.map((_, k) => `M${nameRoom} ${top + k * size}h${area}M${nameRoom + k * size} ${top}v${area}`);
  const small = size < 20 ? ' font-size="10"' : "";
  return svg(
    top + area + 8,
    title,
    [
      text(nameRoom - 8, top - 6, corner, { anchor: "end", opacity: 0.75 }),
      `<g${small}>${names
        .map(
          (name, k) =>
            text(nameRoom - 8, top + (k + 0.5) * size + 4, fitText(name, nameRoom - 8), { anchor: "end" }) +
            text(nameRoom + (k + 0.5) * size, top - 6, String(k), { anchor: "middle" }),
        )
        .join("")}</g>`,
      `<path d="${lines.join("")}M${nameRoom} ${top + area}h${area}v-${area}" stroke="currentColor" stroke-opacity="0.15" fill="none"/>`,
      ...drawn.map(([row, column, count]) => {
        const [x, y] = [nameRoom + column * size, top + row * size];
        const hasNumber = size >= 20;
        // Numbers must stay readable on their ground; without them the shades may be strong.
        const opacity = (hasNumber ? 0.08 + 0.4 * (count / most) : 0.15 + 0.85 * (count / most)).toFixed(2);
        const tooltip = `<title>${escapeXml(`${names[row]} → ${names[column]}: ${count}`)}</title>`;
        return `<g>${tooltip}<rect x="${x + 1}" y="${y + 1}" width="${size - 2}" height="${size - 2}" fill="${palette[0]}" fill-opacity="${opacity}"/>${hasNumber ? text(x + size / 2, y + size / 2 + 4, String(count), { anchor: "middle" }) : ""}</g>`;
      }),
    ],
    round(nameRoom + area + 8),
  );
}
