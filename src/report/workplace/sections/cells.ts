import { groupBy } from "../../../base/group-by.ts";
import type { WorkplaceCell, WorkplaceRow } from "../../../contracts/workplace/results.ts";
import { count } from "../../page/wording.ts";

/** All of a cell but the size of its team. */
export type Setting = Omit<WorkplaceCell, "workers">;

/** Rows that differ by method and size of team alone, under a name. */
export interface SettingRows {
  readonly name: string;
  readonly setting: Setting;
  readonly rows: readonly WorkplaceRow[];
}

const tiers = ["simple", "medium", "complex"];

/** A setting in words; a division of the work is named where there are several. */
export const nameSetting = (setting: Setting, isNamed: boolean): string =>
  [`${setting.tier} tier`, ...conditions(setting, isNamed)].join(", ");

/** A cell in words, where its tier stands above. */
export const nameCellOfTier = (cell: WorkplaceCell, isNamed: boolean): string =>
  [count(cell.workers, "worker"), ...conditions(cell, isNamed)].join(", ");

/** A cell in words. */
export const nameCell = (cell: WorkplaceCell, isNamed: boolean): string =>
  `${count(cell.workers, "worker")}, ${nameSetting(cell, isNamed)}`;

function conditions({ tasks, decomposition, adversaries, attack, onset }: Setting, isNamed: boolean): string[] {
  const parts = [
    tasks === 1 ? "" : `${tasks} tasks at once`,
    isNamed ? `${decomposition} division` : "",
    adversaries === 0 ? "" : `${adversaries} × ${attack} (onset ${onset})`,
  ];
  return parts.filter(Boolean);
}

/** Whether the work was divided in several ways. */
export const namesDecomposition = (cells: readonly WorkplaceCell[]): boolean =>
  new Set(cells.map(({ decomposition }) => decomposition)).size > 1;

/** By setting, from simple to complex, without adversaries first; rows by size of team. */
export function groupSettings(rows: readonly WorkplaceRow[]): SettingRows[] {
  const isNamed = namesDecomposition(rows);
  const rank = ({ tier, tasks, adversaries }: Setting): number => tiers.indexOf(tier) * 1e4 + tasks * 100 + adversaries;
  return [...groupBy(rows, (row) => nameSetting(row, isNamed))]
    .map(([name, own]) => ({ name, setting: own[0], rows: own.toSorted((a, b) => a.workers - b.workers) }))
    .sort((a, b) => rank(a.setting) - rank(b.setting));
}

/** The methods, the main one first; a method keeps its colour in all drawings: its place. */
export function methodsOf(rows: readonly WorkplaceRow[], main: string): string[] {
  const all = [...new Set(rows.map(({ method }) => method))];
  return all.includes(main) ? [main, ...all.filter((method) => method !== main)] : all;
}
