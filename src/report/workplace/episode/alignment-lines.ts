import type { ShownWorkplaceEpisode } from "../report-data.ts";

/** AF of an agent on one subtask while it is at it, in thousandths. */
export interface AlignmentLine {
  readonly about: number;
  /** Step and AF from there on, by step; the last point ends the line. */
  readonly points: readonly (readonly [number, number])[];
}

/** An answer that changed what an agent understands. */
export interface Lesson {
  readonly step: number;
  readonly about: number;
  readonly from: number;
  readonly before: number;
  readonly after: number;
}

export interface AgentAlignment {
  readonly lines: readonly AlignmentLine[];
  readonly lessons: readonly Lesson[];
}

/** Where an agent begins, if no lesson tells (C2C, section 3.2). */
const initialAlignment = 300;

/**
 * How AF moved over time, from the log; one entry an agent. An agent is on one subtask at a time: a line ends where it turns
 * to another, and goes on from what it had understood where it comes back.
 */
export function alignmentLines({ members, record }: ShownWorkplaceEpisode): AgentAlignment[] {
  const events = record.events ?? [];
  // What a first lesson found is what the agent began with.
  const first = events.find((event) => event.kind === "learn");
  const start = first?.kind === "learn" ? first.before : initialAlignment;
  return members.map((_, agent) => {
    const known = new Map<number, number>();
    const alignment = (about: number): number => known.get(about) ?? start;
    const lines: { about: number; points: [number, number][] }[] = [];
    const lessons: Lesson[] = [];
    let last = 0;
    const end = ({ about, points }: (typeof lines)[number], at: number): number =>
      points.push([Math.max(at, points[points.length - 1][0]), alignment(about)]);
    for (const event of events) {
      if (event.kind !== "work" && event.kind !== "learn") continue;
      if (event.agent !== agent) continue;
      const { step, about } = event;
      const line = lines.at(-1);
      if (event.kind === "learn") {
        const { from, before, after } = event;
        known.set(about, after);
        lessons.push({ step, about, from, before, after });
        if (line?.about === about) line.points.push([step, after]);
      } else {
        if (line?.about !== about) {
          // A step that finished one subtask went on with the next.
          if (line !== undefined) end(line, Math.min(last, step));
          lines.push({ about, points: [[step, alignment(about)]] });
        }
        last = step + 1;
      }
    }
    const line = lines.at(-1);
    if (line !== undefined) end(line, last);
    return { lines, lessons };
  });
}
