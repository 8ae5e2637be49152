import { escapeMarkdown, markdownTable, type Table } from "../base/table.ts";

/** A page of a report: plain texts and tables, no markup. */
export interface Page {
  readonly title: string;
  /** What the reader should take away. */
  readonly lead: string;
  /** The command that makes these numbers again. */
  readonly command?: string;
  readonly sections: readonly Section[];
}

export interface Section {
  readonly heading: string;
  readonly text?: string;
  readonly table?: Table;
}

/** A page in GitHub-flavoured Markdown. Texts are shown as they are; none can become markup. */
export function markdownPage({ title, lead, command, sections }: Page): string {
  const blocks = [`# ${escapeMarkdown(title)}`, escapeMarkdown(lead)];
  if (command !== undefined) blocks.push(codeBlock(command));
  for (const { heading, text, table } of sections) {
    blocks.push(`## ${escapeMarkdown(heading)}`);
    if (text !== undefined) blocks.push(escapeMarkdown(text));
    if (table !== undefined) blocks.push(markdownTable(table));
  }
  return `${blocks.join("\n\n")}\n`;
}

/** A fence longer than any run of backticks inside cannot be closed from within. */
function codeBlock(code: string): string {
  const longest = Math.max(2, ...(code.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}sh\n${code}\n${fence}`;
}
