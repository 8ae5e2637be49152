/** A table of texts; every row has one cell a column. */
export interface Table {
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly string[])[];
}

export interface Column {
  readonly title: string;
  /** Numbers stand to the right. */
  readonly align?: "left" | "right";
}

/** A table for a terminal: aligned columns under a rule, no colours, no trailing blanks. Control characters never get through. */
export function consoleTable(table: Table): string {
  const lines = [table.columns.map((column) => column.title), ...table.rows].map((cells) => cells.map(plain));
  const widths = table.columns.map((_, c) => Math.max(...lines.map((cells) => displayWidth(cells[c] ?? ""))));
  const render = (cells: readonly string[]): string =>
    table.columns
      .map((column, c) => pad(cells[c] ?? "", widths[c], column.align))
      .join("  ")
      .trimEnd();
  const rule = widths.map((width) => "-".repeat(width)).join("  ");
  return [render(lines[0]), rule, ...lines.slice(1).map(render)].join("\n");
}

/** A table in GitHub-flavoured Markdown; cells cannot break out of it. */
export function markdownTable(table: Table): string {
  const render = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [
    render(table.columns.map((column) => escapeMarkdown(column.title))),
    render(table.columns.map((column) => (column.align === "right" ? "---:" : "---"))),
    ...table.rows.map((cells) => render(cells.map(escapeMarkdown))),
  ].join("\n");
}

/** One line of text that Markdown shows as it is. */
export function escapeMarkdown(text: string): string {
  return plain(text)
    .replace(/[\\|`*_[\]#~]/g, "\\$&")
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;");
}

/** Texts may come from strangers: no line breaks, and nothing that could steer a terminal. */
const plain = (text: string): string => text.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu, " ");

const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;

/** Columns a text takes in a terminal: East Asian letters take two, combining marks none. */
function displayWidth(text: string): number {
  let width = 0;
  for (const character of text) width += /\p{Mn}/u.test(character) ? 0 : WIDE.test(character) ? 2 : 1;
  return width;
}

function pad(text: string, width: number, align: Column["align"]): string {
  const blanks = " ".repeat(Math.max(0, width - displayWidth(text)));
  return align === "right" ? blanks + text : text + blanks;
}
