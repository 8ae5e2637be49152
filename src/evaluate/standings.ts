import type { Comparison } from "./schema.ts";

/** The methods of one cell, by how the trained one stands to them. */
export interface Standing {
  readonly cell: string;
  readonly worseThan: readonly string[];
  readonly levelWith: readonly string[];
  readonly betterThan: readonly string[];
}

/** The comparisons of `learned` with some methods, all seen from those methods. */
export const comparisonsWith = (
  comparisons: readonly Comparison[],
  learned: string,
  methods: readonly string[],
): Comparison[] =>
  comparisons
    .map((comparison) => (comparison.method === learned ? turnRound(comparison) : comparison))
    .filter(({ method, reference }) => reference === learned && methods.includes(method));

/** The same comparison seen from its method; of its numbers only those without a direction are used here. */
function turnRound(comparison: Comparison): Comparison {
  const { method, reference, verdict } = comparison;
  const turned = verdict === "better" ? "worse" : verdict === "worse" ? "better" : verdict;
  return { ...comparison, method: reference, reference: method, verdict: turned };
}

/** @param comparisons seen from their methods */
export function standingsByCell(comparisons: readonly Comparison[]): Standing[] {
  const several = (key: "attack" | "onset"): boolean =>
    new Set(comparisons.filter(({ adversaries }) => adversaries > 0).map((c) => c[key])).size > 1;
  const [severalAttacks, severalOnsets] = [several("attack"), several("onset")];
  const nameOf = ({ attack, attackRate, adversaries, onset }: Comparison): string => {
    const rate = `${Math.round(attackRate * 100) / 100}`;
    const details = adversaries === 0 ? [] : [severalAttacks && attack, severalOnsets && onset].filter(Boolean);
    return details.length === 0 ? rate : `${rate} (${details.join(", ")})`;
  };
  return [...new Set(comparisons.map(nameOf))].map((cell) => {
    const here = comparisons.filter((comparison) => nameOf(comparison) === cell);
    // A verdict is about the baseline, seen from the trained method.
    const named = (verdict: Comparison["verdict"]): string[] =>
      here.filter((comparison) => comparison.verdict === verdict).map(({ method }) => method);
    return {
      cell,
      worseThan: named("better"),
      levelWith: named("no measurable difference"),
      betterThan: named("worse"),
    };
  });
}

/** Cells with the same standing are named together. */
export function describeStandings(standings: readonly Standing[]): string {
  const cellsOf = new Map<string, string[]>();
  for (const { cell, worseThan, levelWith, betterThan } of standings) {
    const text = [
      worseThan.length > 0 && `worse than ${list(worseThan)}`,
      levelWith.length > 0 && `not measurably different from ${list(levelWith)}`,
      betterThan.length > 0 && `better than ${list(betterThan)}`,
    ]
      .filter(Boolean)
      .join(", ");
    cellsOf.set(text, [...(cellsOf.get(text) ?? []), cell]);
  }
  return [...cellsOf].map(([text, cells]) => `at ${list(cells)} ${text}`).join("; ");
}

/** "a, b and c". */
export function list(names: readonly string[]): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}
