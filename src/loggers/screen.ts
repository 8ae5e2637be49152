import type { Clock } from "../base/clock.ts";

/** What of a terminal is used. */
export interface TerminalStream {
  write(text: string): unknown;
  readonly columns?: number;
  readonly rows?: number;
}

/** A few lines that are redrawn in place, below everything else that is printed. */
export interface Screen {
  /** Puts lines in the place of those that stand. Drawn at most ten times a second; `leave` and `aside` bring the rest. */
  draw(lines: readonly string[]): void;
  /** Prints something above the lines. */
  aside(print: () => void): void;
  /** Leaves the lines standing as they were drawn last, and has none from then on. */
  leave(): void;
  /** Takes the lines away. */
  clear(): void;
}

const drawEveryMs = 100;

/**
 * A screen on a terminal. The cursor stays visible and stands at the beginning of the line below the lines between any two
 * writes: whatever ends the process, at whatever moment, leaves whole lines and a terminal that works. Lines that are too
 * long, or too many, are cut.
 */
export function createScreen(stream: TerminalStream, clock: Clock): Screen {
  let wanted: readonly string[] = [];
  let drawn: readonly string[] = [];
  let drawnMs = Number.NEGATIVE_INFINITY;
  /** Whether something is wanted that is not drawn. */
  let isBehind = false;

  /** Back to where the lines begin. In a terminal that has become narrower they take more rows than they did. */
  const eraser = (): string => {
    const columns = columnsOf(stream);
    const rows = drawn.reduce((sum, line) => sum + Math.max(1, Math.ceil([...line].length / columns)), 0);
    return rows === 0 ? "" : `\r\u001b[${rows}A\u001b[J`;
  };
  const redraw = (): void => {
    const lines = wanted.slice(0, Math.max(1, (stream.rows ?? 24) - 1)).map((line) => cut(line, columnsOf(stream) - 1));
    // One write, without wrapping: letters may be wider than one column.
    stream.write(`${eraser()}\u001b[?7l${lines.map((line) => `${line}\n`).join("")}\u001b[?7h`);
    drawn = lines;
    drawnMs = clock.elapsedMs();
    isBehind = false;
  };
  const erase = (): void => {
    if (drawn.length > 0) stream.write(eraser());
    drawn = [];
  };

  return {
    draw(lines) {
      wanted = lines;
      isBehind = true;
      if (clock.elapsedMs() - drawnMs >= drawEveryMs) redraw();
    },
    aside(print) {
      erase();
      print();
      if (wanted.length > 0) redraw();
    },
    leave() {
      if (isBehind) redraw();
      wanted = [];
      drawn = [];
      drawnMs = Number.NEGATIVE_INFINITY;
    },
    clear() {
      erase();
      wanted = [];
      isBehind = false;
      drawnMs = Number.NEGATIVE_INFINITY;
    },
  };
}

const columnsOf = ({ columns }: TerminalStream): number => (columns !== undefined && columns > 1 ? columns : 80);

const cut = (line: string, columns: number): string => {
  const letters = [...line];
  return letters.length <= columns ? line : `${letters.slice(0, columns - 1).join("")}…`;
};
