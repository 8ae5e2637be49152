import { SingleBar } from "cli-progress";
import type { Clock } from "../base/clock.ts";
import { describeError } from "../base/errors.ts";

/** How a command speaks: results to stdout, everything else to stderr. */
export interface Output {
  /** The result for a person; left out under `--json`. */
  print(text: string): void;
  /** The result for a program: one line of JSON, under `--json` only. */
  json(value: unknown): void;
  note(text: string): void;
  /** A progress line: a bar on a terminal, else a line now and then. */
  progress(label: string, total: number): ProgressLine;
  /** Ends whatever progress is still shown: a bar holds the cursor and keeps the process alive. */
  end(): void;
}

export interface ProgressLine {
  update(done: number, detail?: string): void;
  end(): void;
}

/** Milliseconds between progress lines where there is no terminal. */
const quietMs = 5_000;

export function createOutput(isJson: boolean, clock: Clock): Output {
  const note = (text: string): void => {
    process.stderr.write(`${printable(text)}\n`);
  };
  const shown: ProgressLine[] = [];
  return {
    print: (text) => {
      if (!isJson) process.stdout.write(`${printable(text)}\n`);
    },
    json: (value) => {
      if (isJson) process.stdout.write(`${JSON.stringify(value)}\n`);
    },
    note,
    progress: (label, total) => {
      const line = process.stderr.isTTY ? bar(label, total) : lines(label, total, clock, note);
      shown.push(line);
      return line;
    },
    end: () => {
      for (const line of shown.splice(0)) line.end();
    },
  };
}

function bar(label: string, total: number): ProgressLine {
  const line = new SingleBar({
    format: `${label} {bar} {value}/{total} · {detail} · {eta_formatted} left`,
    hideCursor: true,
    clearOnComplete: true,
    stream: process.stderr,
  });
  line.start(total, 0, { detail: "" });
  return {
    update: (done, detail = "") => line.update(done, { detail }),
    end: () => line.stop(),
  };
}

function lines(label: string, total: number, clock: Clock, note: (text: string) => void): ProgressLine {
  const startedMs = clock.elapsedMs();
  let saidMs = startedMs;
  let last = "";
  const say = (done: number, detail: string): void => {
    const spentMs = clock.elapsedMs() - startedMs;
    const left =
      done > 0 && done < total ? ` · ${seconds((spentMs / done) * (total - done))} left` : ` · ${seconds(spentMs)}`;
    note(`${label} ${done}/${total}${detail === "" ? "" : ` · ${detail}`}${left}`);
  };
  return {
    update: (done, detail = "") => {
      last = detail;
      const nowMs = clock.elapsedMs();
      if (nowMs - saidMs < quietMs && done < total) return;
      saidMs = nowMs;
      say(done, last);
    },
    end: () => {},
  };
}

const seconds = (ms: number): string => (ms < 90_000 ? `${Math.ceil(ms / 1000)} s` : `${Math.ceil(ms / 60_000)} min`);

export const describeFailure = (error: unknown): string => printable(`error: ${describeError(error)}`);

/** Texts of strangers may hold what terminals take for commands. */
export const printable = (text: string): string => text.replace(/\r\n?/g, "\n").replace(/[^\P{Cc}\n\t]/gu, "");
