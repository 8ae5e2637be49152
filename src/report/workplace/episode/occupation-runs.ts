import type { WorkplaceEvent } from "../../../contracts/workplace/record.ts";
import type { ShownWorkplaceEpisode } from "../report-data.ts";

export type Occupation = "work" | "communicate" | "reply" | "meeting" | "wait";

/** Steps in a row in which an agent did the same. */
export interface OccupationRun {
  readonly how: Occupation;
  readonly from: number;
  /** The step after its last one. */
  readonly to: number;
  /** Subtask; absent where it is about none. */
  readonly about?: number;
  /** Why, of what began it. */
  readonly reason?: string;
}

/** An agent's beginning of something that takes `steps`. */
type Beginning = Omit<OccupationRun, "from" | "to"> & { readonly steps: number };

const stepMinutes = 15;

/** What every agent did, from the log, in order of time; `[agent][run]`. Steps the log says nothing of are left out. */
export function occupationRuns({ members, record }: ShownWorkplaceEpisode): OccupationRun[][] {
  const begunNT = members.map(() => new Map<number, Beginning>());
  const events = record.events ?? [];
  const ends = new Map(
    events.flatMap((event) =>
      event.kind === "meeting" && event.what === "ended" ? [[event.meeting, event.step]] : [],
    ),
  );
  const begin = (agent: number, step: number, beginning: Beginning): void => {
    // A step that finished one subtask went on with the next: it counts as what it began with.
    const own = begunNT[agent];
    if (own !== undefined && !own.has(step)) own.set(step, beginning);
  };
  for (const event of events) {
    if (event.kind === "meeting" && event.what === "started") {
      const steps = (ends.get(event.meeting) ?? record.steps) - event.step;
      for (const agent of event.members) begin(agent, event.step, { how: "meeting", steps });
    } else if (event.kind === "work" || event.kind === "wait" || event.kind === "send")
      begin(event.agent, event.step, beginningOf(event));
  }
  return begunNT.map((begun) => joinRuns(begun, record.steps));
}

function beginningOf(event: Extract<WorkplaceEvent, { kind: "work" | "wait" | "send" }>): Beginning {
  const { reason } = event;
  if (event.kind === "wait") return { how: "wait", steps: 1, reason };
  if (event.kind === "work") return { how: "work", steps: 1, about: event.about, reason };
  const steps = Math.max(1, Math.ceil(event.minutes / stepMinutes));
  return { how: event.type === "reply" ? "reply" : "communicate", steps, about: event.about, reason };
}

/** Work on one subtask, and waiting, become one run; messages and meetings stay apart. */
function joinRuns(begun: ReadonlyMap<number, Beginning>, end: number): OccupationRun[] {
  const runs: OccupationRun[] = [];
  for (const [from, { steps, ...what }] of [...begun].sort(([a], [b]) => a - b)) {
    const last = runs.at(-1);
    const to = Math.min(end, from + steps);
    const goesOn = what.how === "work" || what.how === "wait";
    if (goesOn && last?.to === from && last.how === what.how && last.about === what.about)
      runs[runs.length - 1] = { ...last, to };
    else if (to > from) runs.push({ ...what, from, to });
  }
  return runs;
}
