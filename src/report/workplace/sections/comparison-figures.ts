import { groupBy } from "../../../base/group-by.ts";
import type { Difference, WorkplaceComparison } from "../../../contracts/workplace/results.ts";
import { intervalChart } from "../../charts/interval-chart.ts";
import type { Figure } from "../../report-data.ts";
import { namesDecomposition } from "./cells.ts";

/** The main method against each other one: its differences in all cells, in hours and in hours of communication. */
export function comparisonFigures(comparisons: readonly WorkplaceComparison[], main: string): Figure[] {
  const isNamed = namesDecomposition(comparisons);
  const own = comparisons.map((one) => (one.reference === main ? turn(one) : one)).filter((one) => one.method === main);
  const draw = (
    other: string,
    some: readonly WorkplaceComparison[],
    what: string,
    measure: (one: WorkplaceComparison) => Difference,
  ): Figure => ({
    svg: intervalChart({
      title: `${what}: ${main} − ${other}`,
      label: "hours, below 0 where it takes less",
      rows: some.map((one) => {
        const { mean, low, high } = measure(one);
        return { name: nameShortly(one, isNamed), y: mean, low, high };
      }),
    }),
    caption: `${what}, ${main} against ${other} on the same projects. A row is a cell: its workers, tier and adversaries. Bars are 95 % intervals.`,
  });
  return [...groupBy(own, ({ reference }) => reference)].flatMap(([other, some]) => [
    draw(other, some, "Hours", ({ hours }) => hours),
    draw(other, some, "Communication", ({ communicationHours }) => communicationHours),
  ]);
}

/** A cell where there is little room; the table says all of it. */
function nameShortly(one: WorkplaceComparison, isNamed: boolean): string {
  const { workers, tier, tasks, decomposition, adversaries, attack } = one;
  const parts = [
    ...[String(workers), tier, tasks === 1 ? "" : `${tasks} tasks`, isNamed ? decomposition : ""],
    adversaries === 0 ? "" : `${adversaries} × ${attack}`,
  ];
  return parts.filter(Boolean).join(", ");
}

/** The same comparison, seen from the other side. */
function turn({ method, reference, hours, communicationHours, ...cell }: WorkplaceComparison): WorkplaceComparison {
  const negate = ({ mean, low, high, p }: Difference): Difference => ({ mean: -mean, low: -high, high: -low, p });
  return {
    ...cell,
    ...{ method: reference, reference: method },
    ...{ hours: negate(hours), communicationHours: negate(communicationHours) },
  };
}
