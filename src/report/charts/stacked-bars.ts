import { round } from "./round-numbers.ts";
import { characterWidth, chartWidth, escapeXml, fitText, isPlausible, palette, show, svg, text } from "./svg.ts";

/** What a bar is made of. The sign, a letter, stands in the bars, so that colour is not all that tells the parts apart. */
export interface BarPart {
  readonly name: string;
  readonly sign: string;
}

export interface StackedBar {
  readonly name: string;
  /** Of each part, in their order; not below 0. */
  readonly values: readonly number[];
  readonly isMain?: boolean;
}

const barHeight = 18;
const rowHeight = 26;
const legendHeight = 18;
const totalRoom = 44;

/** Shares as bars of equal length, one below the other; what a bar adds up to stands at its end. */
export function stackedBars({
  title,
  label,
  parts,
  bars,
}: {
  readonly title: string;
  /** Of what stands at the ends. */
  readonly label: string;
  readonly parts: readonly BarPart[];
  readonly bars: readonly StackedBar[];
}): string {
  const nameRoom = Math.min(130, 12 + characterWidth * Math.max(0, ...bars.map(({ name }) => name.length)));
  const legend = drawLegend(parts);
  const top = 26 + legend.rows * legendHeight;
  const length = chartWidth - totalRoom - nameRoom;
  const bottom = top + bars.length * rowHeight;
  return svg(bottom + 20, title, [
    text(0, 14, fitText(title, chartWidth - 10), { weight: "bold" }),
    ...legend.items,
    ...bars.map((bar, k) => drawBar(bar, parts, { x: nameRoom, y: top + k * rowHeight, length })),
    text(chartWidth, bottom + 12, label, { anchor: "end", opacity: 0.75 }),
  ]);
}

function drawLegend(parts: readonly BarPart[]): { readonly items: string[]; readonly rows: number } {
  let [x, row] = [0, 0];
  const items = parts.map(({ name, sign }, k) => {
    const width = 24 + characterWidth * name.length + 8;
    if (x > 0 && x + width > chartWidth) [x, row] = [0, row + 1];
    const y = 22 + row * legendHeight;
    const item = `${box(x + 0.5, y + 0.5, 17, 14, colourOf(k))}${text(x + 9, y + 12, sign, { anchor: "middle" })}${text(x + 23, y + 12, name)}`;
    x += width;
    return item;
  });
  return { items, rows: row + 1 };
}

function drawBar(
  { name, values, isMain }: StackedBar,
  parts: readonly BarPart[],
  { x, y, length }: { readonly x: number; readonly y: number; readonly length: number },
): string {
  const drawn = parts.map((_, k) => (isPlausible(values[k]) ? Math.max(0, values[k]) : 0));
  const total = drawn.reduce((sum, value) => sum + value, 0);
  let from = x;
  const pieces = drawn.map((value, k) => {
    if (value === 0) return "";
    const width = (value / total) * length;
    const share = `${Math.round((value / total) * 100)} %`;
    const inside = [`${parts[k].sign} ${share}`, parts[k].sign].find((one) => one.length * characterWidth + 4 <= width);
    const piece = [
      box(
        from + 0.5,
        y,
        Math.max(0.5, width - 1),
        barHeight,
        colourOf(k),
        `${parts[k].name}: ${show(value)}, ${share}`,
      ),
      inside === undefined ? "" : text(from + width / 2, y + 13, inside, { anchor: "middle" }),
    ].join("");
    from += width;
    return piece;
  });
  const weight = isMain ? "bold" : undefined;
  return [
    text(x - 8, y + 13, fitText(name, x - 8), { anchor: "end", weight }),
    ...pieces,
    text(chartWidth, y + 13, total >= 100 ? String(Math.round(total)) : total.toFixed(1), { anchor: "end", weight }),
  ].join("");
}

const colourOf = (part: number): string => palette[part % palette.length];

/** Pale enough for the text of the page to stand on it, in light and in dark. */
function box(x: number, y: number, width: number, height: number, colour: string, title?: string): string {
  const name = title === undefined ? "" : `<title>${escapeXml(title)}</title>`;
  return `<rect x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${height}" fill="${colour}" fill-opacity="0.3" stroke="${colour}">${name}</rect>`;
}
