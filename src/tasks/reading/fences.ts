/** A fenced block (three backticks or tildes) of a reply. */
export interface Fence {
  /** What stands behind the opening fence, lower case: `python`, or `""`. */
  readonly language: string;
  readonly lines: readonly string[];
  readonly closed: boolean;
  /** Lines of the text from the opening fence … */
  readonly start: number;
  /** … to behind the closing one. */
  readonly end: number;
}

const fence = /^[ \t>]{0,12}(`{3,20}|~{3,20})[ \t]*([^`\n]{0,80})$/;

const indentOf = (line: string): number => /^[ \t>]*/.exec(line)![0].length;

/** The fenced blocks of a text in order; the last one may not be closed. Linear in the text. */
export function findFences(lines: readonly string[]): Fence[] {
  const fences: Fence[] = [];
  let open: { mark: string; language: string; start: number } | undefined;
  const close = (end: number, closed: boolean) => {
    const { language, start } = open!;
    fences.push({ language, lines: lines.slice(start + 1, end), closed, start, end: closed ? end + 1 : end });
    open = undefined;
  };
  lines.forEach((line, i) => {
    const match = fence.exec(line);
    if (match === null) return;
    const [, mark, info] = match;
    if (open === undefined) open = { mark, language: info.trim().toLowerCase(), start: i };
    // Far to the right it stands inside what is quoted, as in a docstring.
    else if (indentOf(line) >= indentOf(lines[open.start]) + 4) return;
    else if (info.trim() === "" && mark[0] === open.mark[0] && mark.length >= open.mark.length) close(i, true);
  });
  if (open !== undefined) close(lines.length, false);
  return fences;
}
