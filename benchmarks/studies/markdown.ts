import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Results } from "colloquy";

type Row = Results["rows"][number];

/** `.62 [.55, .69]`. */
export const accuracyOf = ({ accuracy, low, high }: Row): string =>
  `${short(accuracy)} [${short(low)}, ${short(high)}]`;

export const short = (share: number): string => share.toFixed(2).replace(/^0/, "");

/** A table in Markdown; all columns but the first few named ones stand to the right. */
export const table = (columns: readonly string[], rows: readonly (readonly (string | number)[])[]): string =>
  [columns, columns.map((_, i) => (i === 0 ? "---" : "--:")), ...rows]
    .map((row) => `| ${row.join(" | ")} |`)
    .join("\n");

/** Writes a page with the command that makes it. */
export function writePage(path: string, blocks: readonly string[], command: string): string {
  const text = `${[...blocks, `Command: \`${command}\``].join("\n\n")}\n`;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return text;
}
