const control = "\u001b";
const tokens = new RegExp(`${control}\\[(\\d+)A|${control}\\[J|${control}\\[\\?7[lh]|[\\s\\S]`, "gu");

/** As much of a terminal as is needed to see what stands on it: rows of text, a cursor, wrapping, and four commands. */
export function createTerminal(columns = 80) {
  const rows: string[][] = [[]];
  let [x, y] = [0, 0];
  let wraps = true;
  const put = (letter: string): void => {
    if (x >= columns) {
      if (wraps) [x, y] = [0, y + 1];
      else x = columns - 1;
    }
    rows[y] ??= [];
    rows[y][x++] = letter;
  };
  return {
    columns,
    rows: 24,
    write(text: string): boolean {
      for (const [token, up] of text.matchAll(tokens)) {
        if (up !== undefined) y = Math.max(0, y - Number(up));
        else if (token === `${control}[J`) {
          rows.length = y + 1;
          rows[y].length = x;
        } else if (token.startsWith(`${control}[?7`)) wraps = token.endsWith("h");
        else if (token === control) throw new Error(`unknown command in ${JSON.stringify(text)}`);
        else if (token === "\r") x = 0;
        else if (token === "\n") {
          [x, y] = [0, y + 1];
          rows[y] ??= [];
        } else put(token);
      }
      return true;
    },
    /** What stands there, without the empty row of the cursor. */
    lines: (): string[] => rows.slice(0, -1).map((row) => Array.from(row, (letter) => letter ?? " ").join("")),
    /** Whether the cursor stands at the beginning of the last row, and text wraps as it should. */
    isTidy: (): boolean => x === 0 && y === rows.length - 1 && rows[y].length === 0 && wraps,
  };
}
