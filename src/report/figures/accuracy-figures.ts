import { groupBy } from "../../base/group-by.ts";
import { forestChart } from "../charts/forest-chart.ts";
import { type ChartLine, lineChart } from "../charts/line-chart.ts";
import { scatterChart } from "../charts/scatter-chart.ts";
import { show, sideBySide } from "../charts/svg.ts";
import type { Figure } from "../report-data.ts";

/** What a drawing needs of a method in a cell; a row of the results has it. */
export interface JudgedCell {
  readonly method: string;
  readonly attack: string;
  readonly attackRate: number;
  readonly adversaries: number;
  readonly onset: string;
  readonly accuracy: number;
  readonly low: number;
  readonly high: number;
  readonly calls: number;
}

/** Knows who is adversarial: an upper reference. */
const reference = "oracle";
/** Shown by name, where they were played. */
const wellKnown = ["vote-first", "complete"];

/** The cells of one attack and onset, those without adversaries included. */
interface Setting {
  readonly name: string;
  readonly cells: readonly JudgedCell[];
}

function settingsOf(cells: readonly JudgedCell[]): Setting[] {
  const clean = cells.filter(({ adversaries }) => adversaries === 0);
  const attacked = groupBy(
    cells.filter(({ adversaries }) => adversaries > 0),
    ({ attack, onset }) => `${attack}, onset ${onset}`,
  );
  if (attacked.size === 0) return clean.length === 0 ? [] : [{ name: "nobody attacks", cells: clean }];
  return [...attacked].map(([name, own]) => ({ name, cells: [...clean, ...own] }));
}

/**
 * Accuracy against attack rate, one drawing an attack and onset: by name the trained method, the one of all others that is
 * best on average, a plain vote, a full debate and the oracle; the rest as thin lines.
 */
export function accuracyFigures(cells: readonly JudgedCell[], main: string): Figure[] {
  return settingsOf(cells).map(({ name, cells: own }) => {
    const byMethod = groupBy(own, ({ method }) => method);
    const rival = bestRival(byMethod, main);
    const named = [main, reference, ...(rival === undefined ? [] : [rival]), ...wellKnown];
    const lines = [...byMethod].map(([method, row]): ChartLine => {
      const points = row
        .map(({ attackRate, accuracy, low, high }) => ({ x: attackRate, y: accuracy, low, high }))
        .sort((a, b) => a.x - b.x);
      const look =
        method === main ? "main" : method === reference ? "reference" : named.includes(method) ? "plain" : "faint";
      return { name: method, points, look, colour: colourOf(method, main, rival) };
    });
    const rates = [...new Set(own.map(({ attackRate }) => attackRate))].sort((a, b) => a - b);
    const thin = lines.filter(({ look }) => look === "faint").length;
    return {
      svg: lineChart({
        title: `Accuracy: ${name}`,
        xLabel: "attack rate (share of adversaries)",
        yLabel: "accuracy",
        lines,
        yRange: [0, 1],
        xTicks: rates.map((at) => ({ at, name: show(Math.round(at * 100) / 100) })),
      }),
      caption: [
        `${name}. Bars are 95 % intervals.`,
        rival === undefined ? "" : `${rival} is on average the best method that is no variant of the policy.`,
        thin === 0 ? "" : `The ${thin} thin lines are the other methods; all stand by name below.`,
      ]
        .filter(Boolean)
        .join(" "),
    };
  });
}

const colourOf = (method: string, main: string, rival: string | undefined): number =>
  method === main ? 0 : method === rival ? 1 : 2 + Math.max(0, wellKnown.indexOf(method));

/** The best on average of those that neither know the truth nor are the trained policy in another setting. */
function bestRival(byMethod: ReadonlyMap<string, readonly JudgedCell[]>, main: string): string | undefined {
  const meanOf = (cells: readonly JudgedCell[]): number => cells.reduce((sum, c) => sum + c.accuracy, 0) / cells.length;
  return [...byMethod]
    .filter(([method]) => method !== main && method !== reference && !/^(?:learned|untrained)\b/.test(method))
    .sort(([, a], [, b]) => meanOf(b) - meanOf(a))[0]?.[0];
}

/** Every method by name in every cell, the best first. @param verdicts of comparisons with the trained method */
export function forestFigures(
  cells: readonly JudgedCell[],
  main: string,
  verdicts: readonly (Pick<JudgedCell, "method" | "attack" | "adversaries" | "onset"> & { readonly verdict: string })[],
): Figure[] {
  const keyOf = ({ attack, adversaries, onset }: Pick<JudgedCell, "attack" | "adversaries" | "onset">): string =>
    adversaries === 0 ? "nobody attacks" : `${adversaries} adversaries, ${attack}, onset ${onset}`;
  return [...groupBy(cells, keyOf)].map(([name, own]) => ({
    svg: forestChart({
      title: name,
      label: "accuracy with 95 % interval",
      rows: own
        .toSorted((a, b) => b.accuracy - a.accuracy)
        .map((cell) => ({
          name: cell.method,
          y: cell.accuracy,
          low: cell.low,
          high: cell.high,
          isMain: cell.method === main,
          isLevel: verdicts.some(
            (one) => one.method === cell.method && keyOf(one) === name && one.verdict === "no measurable difference",
          ),
        })),
    }),
    caption: `${name}: every method. Hollow: no measurable difference from ${main}.`,
  }));
}

/** Mean accuracy against mean calls an episode, one drawing an attack and onset. */
export function costFigures(cells: readonly JudgedCell[], main: string): Figure[] {
  return settingsOf(cells).map(({ name, cells: own }) => ({
    svg: scatterChart({
      title: `Cost and accuracy: ${name}`,
      xLabel: "calls an episode",
      yLabel: "mean accuracy over the attack rates",
      points: [...groupBy(own, ({ method }) => method)].map(([method, row]) => ({
        name: method,
        x: row.reduce((sum, { calls }) => sum + calls, 0) / row.length,
        y: row.reduce((sum, { accuracy }) => sum + accuracy, 0) / row.length,
        isMain: method === main,
        isReference: method === reference,
      })),
    }),
    caption: `${name}. The line joins the methods that no other one beats in both calls and accuracy; ${reference} knows the adversaries and does not compete. Points without room for a name stand in the tables above.`,
  }));
}

/** `accuracy.svg`: the drawings of all attacks and onsets in one. */
export const drawAccuracy = (cells: readonly JudgedCell[], main: string): string =>
  sideBySide(
    accuracyFigures(cells, main).map(({ svg }) => svg),
    "Accuracy against attack rate",
  );
