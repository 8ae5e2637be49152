import type { Clock } from "../base/clock.ts";
import { type Environment, processEnvironment } from "../base/env.ts";
import { describeError } from "../base/errors.ts";
import { createScreen, drawBar, formatDuration, paceOf } from "../loggers/index.ts";

/** How a command speaks: results to stdout, everything else to stderr. */
export interface Output {
  /** The result for a person; left out under `--json`. */
  print(text: string): void;
  /** The result for a program: one line of JSON, under `--json` only. */
  json(value: unknown): void;
  note(text: string): void;
  /** A progress line: a bar on a terminal, else a line now and then. */
  progress(label: string, total: number): ProgressLine;
  /** Lines redrawn in place on a terminal; `null` where there is none, and progress is told in lines. */
  readonly table: ((lines: readonly string[]) => void) | null;
  /** Ends whatever progress is still shown; a table stays as it was drawn last. */
  end(): void;
}

export interface ProgressLine {
  update(done: number, detail?: string): void;
  end(): void;
}

/** Milliseconds between progress lines where there is no terminal. */
const quietMs = 5_000;

/** The streams of the process, one owner each: whatever is said while a bar or a table stands is said above it. */
export function createOutput(isJson: boolean, clock: Clock, environment: Environment = processEnvironment("")): Output {
  const { stderr, stdout } = process;
  const screen = isDrawable(stderr, environment) ? createScreen(stderr, clock) : null;
  const say = (stream: NodeJS.WriteStream, text: string): void => {
    const write = () => stream.write(`${text}\n`);
    if (screen !== null && stream.isTTY) screen.aside(write);
    else write();
  };
  const note = (text: string): void => say(stderr, printable(text));
  return {
    print: (text) => {
      if (!isJson) say(stdout, printable(text));
    },
    json: (value) => {
      if (isJson) say(stdout, JSON.stringify(value));
    },
    note,
    progress(label, total) {
      // What stood there until now is over.
      screen?.leave();
      if (screen === null) return lines(label, total, clock, note);
      return bar(label, total, clock, screen.draw, screen.clear);
    },
    table: screen === null ? null : (rows) => screen.draw(rows.map(oneLine)),
    end: () => screen?.leave(),
  };
}

/** A terminal that can be drawn on. Colours are never used, so `NO_COLOR` asks for nothing more. */
const isDrawable = (stream: NodeJS.WriteStream, { CI, TERM }: Environment): boolean =>
  stream.isTTY === true && (CI === undefined || CI === "" || CI === "false") && TERM !== "dumb";

function bar(
  label: string,
  total: number,
  clock: Clock,
  draw: (lines: readonly string[]) => void,
  clear: () => void,
): ProgressLine {
  const pace = paceOf(clock);
  pace(0, total);
  return {
    update: (done, detail = "") => {
      const leftMs = pace(done, total);
      const parts = [`${done}/${total}`, detail, leftMs === null ? "" : `${formatDuration(leftMs)} left`];
      draw([oneLine(`${label} ${drawBar(done, total)} ${parts.filter(Boolean).join(" · ")}`)]);
    },
    end: clear,
  };
}

function lines(label: string, total: number, clock: Clock, note: (text: string) => void): ProgressLine {
  const startedMs = clock.elapsedMs();
  const pace = paceOf(clock);
  let saidMs = startedMs;
  return {
    update: (done, detail = "") => {
      const nowMs = clock.elapsedMs();
      const leftMs = pace(done, total);
      if (nowMs - saidMs < quietMs && done < total) return;
      saidMs = nowMs;
      const time =
        done < total ? (leftMs === null ? "" : `${formatDuration(leftMs)} left`) : formatDuration(nowMs - startedMs);
      note([`${label} ${done}/${total}`, detail, time].filter(Boolean).join(" · "));
    },
    end: () => {},
  };
}

export const describeFailure = (error: unknown): string => printable(`error: ${describeError(error)}`);

/** Texts of strangers may hold what terminals take for commands. */
export const printable = (text: string): string => text.replace(/\r\n?/g, "\n").replace(/[^\P{Cc}\n\t]/gu, "");

const oneLine = (text: string): string => printable(text).replace(/[\n\t]/g, " ");
