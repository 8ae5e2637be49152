import { closeSync, openSync, readdirSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "../base/clock.ts";
import { writeError } from "../base/files.ts";
import type { LogRow } from "../contracts/run-log.ts";
import { encodeEvent, type LogEvent } from "./event-record.ts";
import { followLog, type LogFollower } from "./follow-log.ts";

/** The event file of a run, for TensorBoard and whatever else reads its format. */
export interface EventLog {
  /** Brings the file up to the logs. To be called after every update, by the process that writes the logs. */
  catchUp(): void;
  close(): void;
}

const namePattern = /^events\.out\.tfevents\.(\d{10,})\.colloquy$/;

/**
 * Keeps `events.out.tfevents.<seconds>.colloquy` in a run folder: a scalar for every number in the rows of `metrics.jsonl`
 * and `timing.jsonl`, under its key, at its step. The first `catchUp` writes the file anew from the logs as they are then
 * (a run that goes on has cut them to its saved state), in place of those of earlier parts; so no step stands twice and
 * none is missing. Nothing but the times and the name depends on the clock.
 * @param onFailure told once why the file cannot be written; the run does not depend on it
 */
export function keepEvents(folder: string, clock: Clock, onFailure: (error: Error) => void): EventLog {
  const logs = ["metrics.jsonl", "timing.jsonl"].map((name) => followLog(join(folder, name)));
  let path = join(folder, "events.out.tfevents");
  let file: number | undefined;
  let isOver = false;
  const write = (events: readonly LogEvent[]): void => {
    const bytes = Buffer.concat(events.map(encodeEvent));
    for (let written = 0; written < bytes.length; ) written += writeSync(file!, bytes, written);
  };
  const begin = (wallTime: number): void => {
    const old = readdirSync(folder).filter((name) => namePattern.test(name));
    // Readers go through the files of a folder by name: this one comes last.
    const seconds = Math.max(Math.floor(wallTime), ...old.map((name) => Number(namePattern.exec(name)![1]) + 1));
    path = join(folder, `events.out.tfevents.${String(seconds).padStart(10, "0")}.colloquy`);
    file = openSync(path, "wx");
    const restart: LogEvent[] = old.length > 0 ? [{ wallTime, step: 0, what: "restart" }] : [];
    write([{ wallTime, step: 0, what: "version" }, ...restart]);
    for (const name of old) rmSync(join(folder, name), { force: true });
  };
  const close = (): void => {
    isOver = true;
    if (file !== undefined) closeSync(file);
    file = undefined;
  };
  return {
    catchUp() {
      if (isOver) return;
      const wallTime = clock.now() / 1000;
      try {
        if (file === undefined) begin(wallTime);
        const rows = logs.flatMap(readAll).filter(({ values }) => values.length > 0);
        // By update, as they came to be: a file begun anew is then the one that had grown.
        rows.sort((a, b) => a.step - b.step);
        write(rows.map(({ step, values }) => ({ wallTime, step, what: values })));
      } catch (error) {
        close();
        onFailure(writeError(path, error));
      }
    },
    close,
  };
}

function readAll({ look }: LogFollower): LogRow[] {
  const all: LogRow[] = [];
  for (let { rows } = look(); rows.length > 0; { rows } = look()) for (const row of rows) all.push(row);
  return all;
}
