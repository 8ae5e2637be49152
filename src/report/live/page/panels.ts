/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import { drawChart, type Line, node } from "./chart.ts";
import { formatNumber, measures } from "./measures.ts";
import { type AllSeries, pointsOf, scoreKey, validationPoints } from "./series.ts";

/** A chart of the page. */
export interface Panel {
  readonly element: HTMLElement;
  draw(all: AllSeries, steps: number): void;
}

/** Points of a line: enough to see where it goes, few enough not to show the noise of single updates. */
const mostPoints = 60;

interface PanelLine {
  /** Absent from the line of validations: it is the world's own. */
  readonly key?: string;
  readonly look: string;
  readonly isValidation?: boolean;
}

/** The charts of the page: the learning curve, then what the team does. */
export const createPanels = (): Panel[] => [
  createPanel(
    "Learning curve",
    [
      { look: "first", isValidation: true },
      { key: "rollout/utility", look: "second" },
    ],
    { height: 280, isWide: true, bounds: [0, 1] },
  ),
  ...["rollout/participants", "rollout/edges", "train/entropy", "rollout/calls"].map((key) =>
    createPanel(measures[key], [{ key, look: "first" }], { height: 150, bounds: [0, Number.POSITIVE_INFINITY] }),
  ),
];

function createPanel(
  title: string,
  lines: readonly PanelLine[],
  settings: { readonly height: number; readonly isWide?: boolean; readonly bounds: readonly [number, number] },
): Panel {
  const { height, isWide = false, bounds } = settings;
  const figure = document.createElement("figure");
  if (isWide) figure.className = "wide";
  const caption = document.createElement("figcaption");
  const heading = document.createElement("h2");
  heading.textContent = title;
  const legend = document.createElement("p");
  legend.className = "legend";
  const latest = lines.map(({ look }) => {
    const entry = document.createElement("span");
    entry.className = look;
    const words = document.createElement("span");
    if (lines.length > 1) entry.append(swatch(look));
    entry.append(words);
    legend.append(entry);
    return words;
  });
  caption.append(heading, legend);
  const svg = node("svg", { role: "img", height });
  figure.append(caption, svg);
  return {
    element: figure,
    draw(all, steps) {
      const width = Math.max(200, svg.clientWidth);
      const keyed = lines.map((line) => ({ ...line, key: line.key ?? scoreKey(all) }));
      const drawn = keyed.map(({ key, look, isValidation = false }): Line => {
        const points = isValidation ? validationPoints(all, mostPoints) : pointsOf(all, key, mostPoints);
        return { look, points, hasMarkers: isValidation };
      });
      const words = keyed.map(({ key, isValidation = false }, i) =>
        describe(all, key, lines.length > 1, isValidation ? drawn[i] : undefined),
      );
      words.forEach((text, i) => {
        latest[i].textContent = text;
      });
      svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
      svg.setAttribute("aria-label", `${title} by update. ${words.join(". ")}.`);
      // The first line lies on top.
      svg.replaceChildren(...drawChart([...drawn].reverse(), { width, height, steps, bounds }));
    },
  };
}

/** A short line as it is drawn in the chart. */
function swatch(look: string): SVGElement {
  const svg = node("svg", { class: "swatch", width: 24, height: 10, "aria-hidden": "true" });
  svg.append(node("line", { class: `line ${look}`, x1: 0, x2: 24, y1: 5, y2: 5 }));
  if (look === "first") svg.append(node("circle", { class: `mark ${look}`, cx: 12, cy: 5, r: 3 }));
  return svg;
}

function describe(all: AllSeries, key: string, isNamed: boolean, line: Line | undefined): string {
  const name = isNamed ? `${measures[key].toLowerCase()}: ` : "";
  const series = all.get(key);
  if (series === undefined) return `${name}none yet`;
  const { low, high } = line?.points.at(-1) ?? {};
  const interval = low === undefined || high === undefined ? "" : ` (95 %: ${low.toFixed(3)} to ${high.toFixed(3)})`;
  const best = line === undefined ? "" : `, best ${formatNumber(series.values.reduce((a, b) => Math.max(a, b)))}`;
  return `${name}${formatNumber(series.values.at(-1)!)}${interval}${best}`;
}
