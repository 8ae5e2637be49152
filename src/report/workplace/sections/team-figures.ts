import { groupBy } from "../../../base/group-by.ts";
import type { Estimate, WorkplaceRow } from "../../../contracts/workplace/results.ts";
import { intervalChart } from "../../charts/interval-chart.ts";
import { type ChartLine, lineChart } from "../../charts/line-chart.ts";
import type { Figure } from "../../report-data.ts";
import { groupSettings, methodsOf, type SettingRows } from "./cells.ts";

type Measure = (row: WorkplaceRow) => Estimate | null;

/** Hours to completion, and hours of communication, against the size of the team: one drawing a setting. */
export function teamFigures(rows: readonly WorkplaceRow[], main: string): Figure[] {
  const methods = methodsOf(rows, main);
  return groupSettings(rows).flatMap((setting) => [
    drawMeasure(setting, methods, main, "Hours to completion", ({ hours }) => hours),
    drawMeasure(setting, methods, main, "Hours of communication", ({ communicationHours }) => communicationHours),
  ]);
}

/** With one size of team alone there is no line to draw: the methods stand below each other. */
function drawMeasure(
  { name, rows }: SettingRows,
  methods: readonly string[],
  main: string,
  what: string,
  measure: Measure,
): Figure {
  const sizes = [...new Set(rows.map(({ workers }) => workers))];
  const caption = `${what}: ${name}. Bars are 95 % intervals.`;
  const known = rows.flatMap((row) => {
    const estimate = measure(row);
    return estimate === null ? [] : [{ row, y: estimate.mean, low: estimate.low, high: estimate.high }];
  });
  if (sizes.length === 1) {
    const intervals = known
      .toSorted((a, b) => methods.indexOf(a.row.method) - methods.indexOf(b.row.method))
      .map(({ row: { method }, ...value }) => ({
        ...value,
        ...{ name: method, isMain: method === main, colour: methods.indexOf(method) },
      }));
    const svg = intervalChart({ title: name, label: `${what.toLowerCase()}, ${sizes[0]} workers`, rows: intervals });
    return { svg, caption };
  }
  const lines = [...groupBy(known, ({ row }) => row.method)].map(
    ([method, own]): ChartLine => ({
      name: method,
      points: own.map(({ row, ...value }) => ({ x: row.workers, ...value })),
      look: method === main ? "main" : "plain",
      colour: methods.indexOf(method),
    }),
  );
  const highest = Math.max(1, ...known.map(({ high }) => high));
  return {
    svg: lineChart({
      ...{ title: name, xLabel: "workers", yLabel: what.toLowerCase(), lines },
      ...{ yRange: [0, highest], xTicks: ticksAt(sizes) },
    }),
    caption,
  };
}

/** How much faster larger teams are than the smallest: one drawing a setting that has several sizes. */
export function speedUpFigures(rows: readonly WorkplaceRow[], main: string): Figure[] {
  const methods = methodsOf(rows, main);
  return groupSettings(rows).flatMap(({ name, rows: own }) => {
    const sizes = [...new Set(own.map(({ workers }) => workers))];
    if (sizes.length < 2) return [];
    const lines = [...groupBy(own, ({ method }) => method)].flatMap(([method, some]): ChartLine[] => {
      const base = some.find(({ workers }) => workers === sizes[0])?.hours;
      if (base === undefined || base === null) return [];
      const points = some.flatMap(({ workers, hours }) =>
        hours === null || hours.mean <= 0 ? [] : [{ x: workers, y: base.mean / hours.mean }],
      );
      return [{ name: method, points, look: method === main ? "main" : "plain", colour: methods.indexOf(method) }];
    });
    const linear = sizes.map((x) => ({ x, y: x / sizes[0] }));
    return [
      {
        svg: lineChart({
          title: name,
          xLabel: "workers",
          yLabel: `speed-up: hours with ${sizes[0]} workers / hours`,
          lines: [{ name: "in proportion", points: linear, look: "reference" }, ...lines],
          xTicks: ticksAt(sizes),
        }),
        caption: `Speed-up: ${name}. How many times as fast as ${sizes[0]} workers; dashed: in proportion to the workers.`,
      },
    ];
  });
}

const ticksAt = (sizes: readonly number[]): { at: number; name: string }[] =>
  sizes.map((at) => ({ at, name: String(at) }));
