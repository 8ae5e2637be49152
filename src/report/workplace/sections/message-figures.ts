import { groupBy } from "../../../base/group-by.ts";
import type { WorkplaceRow } from "../../../contracts/workplace/results.ts";
import { type BarPart, stackedBars } from "../../charts/stacked-bars.ts";
import type { Figure } from "../../report-data.ts";
import { groupSettings, methodsOf, type SettingRows } from "./cells.ts";

const types = [
  ["help_request", { name: "help", sign: "H" }],
  ["need_clarification", { name: "clarify", sign: "C" }],
  ["meeting_invite", { name: "meeting", sign: "M" }],
  ["progress_update", { name: "update", sign: "U" }],
  ["reply", { name: "reply", sign: "R" }],
] as const satisfies readonly (readonly [keyof WorkplaceRow["messages"], BarPart])[];

const channels = [
  ["chat", { name: "chat", sign: "C" }],
  ["email", { name: "email", sign: "E" }],
  ["meeting", { name: "meeting", sign: "M" }],
] as const satisfies readonly (readonly [keyof WorkplaceRow["channels"], BarPart])[];

/** What was said, by type and by channel: two drawings a setting, a bar a method, all sizes of teams together. */
export function messageFigures(rows: readonly WorkplaceRow[], main: string): Figure[] {
  const methods = methodsOf(rows, main);
  return groupSettings(rows.filter(hasTalk)).flatMap((setting) => [
    drawMix(setting, methods, main, "Messages by type", types, ({ messages }) => messages),
    drawMix(setting, methods, main, "Messages by channel", channels, ({ channels }) => channels),
  ]);
}

const hasTalk = ({ messages }: WorkplaceRow): boolean => types.some(([type]) => messages[type] > 0);

function drawMix<K extends string>(
  { name, rows }: SettingRows,
  methods: readonly string[],
  main: string,
  what: string,
  parts: readonly (readonly [K, BarPart])[],
  countsOf: (row: WorkplaceRow) => Readonly<Record<K, number>>,
): Figure {
  const byMethod = groupBy(rows, ({ method }) => method);
  const bars = methods.flatMap((method) => {
    const own = byMethod.get(method);
    if (own === undefined) return [];
    const episodes = own.reduce((sum, { n }) => sum + n, 0);
    const values = parts.map(([key]) => own.reduce((sum, row) => sum + row.n * countsOf(row)[key], 0) / episodes);
    return [{ name: method, values, isMain: method === main }];
  });
  return {
    svg: stackedBars({ title: name, label: "messages an episode", parts: parts.map(([, part]) => part), bars }),
    caption: `${what}: ${name}; teams of all sizes together.`,
  };
}
