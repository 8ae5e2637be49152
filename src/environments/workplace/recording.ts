import { ColloquyError } from "../../base/errors.ts";
import { canonicalJson, isRecord } from "../../base/json.ts";
import type { WorkplaceEvent } from "../../contracts/workplace/record.ts";
import { stepLimit } from "./settings.ts";

type EventOf<K extends WorkplaceEvent["kind"]> = Extract<WorkplaceEvent, { kind: K }>;

/** The steps that a log holds whole, to be played again: what came from outside is taken from it, all else must come out as it says. */
export interface Recording {
  /** Steps 0 to this − 1 are whole. */
  readonly steps: number;
  /** The events of these steps. */
  readonly events: readonly WorkplaceEvent[];
  /** Faults among them. */
  readonly faults: number;
  /** What an agent wanted in a step; `undefined` where the log does not say. Untrusted. */
  intentionOf(step: number, agent: number): unknown;
  /** The event that comes next. @throws ColloquyError `replay/differs` where it is of another kind */
  peek<K extends WorkplaceEvent["kind"]>(kind: K, step: number): EventOf<K>;
  /** Goes on by one event. @throws ColloquyError `replay/differs` where the log says something else */
  confirm(event: WorkplaceEvent): void;
  /** @throws ColloquyError `replay/differs` where events of these steps have not come out again */
  confirmEnd(): void;
}

/**
 * Reads a log, which may end anywhere: its last step may be torn and is played anew, unless the episode has ended.
 * @throws ColloquyError `replay/log` where it is no list of events in order
 */
export function readRecording(log: readonly WorkplaceEvent[]): Recording {
  checkSteps(log);
  const steps = log.at(-1)?.step ?? 0;
  const events = log.filter(({ step }) => step < steps);
  // Faults are not made again: what was done instead stands in the log.
  const expected = events.filter(({ kind }) => kind !== "fault");
  const wanted = new Map<string, WorkplaceEvent>();
  for (const event of expected) {
    if (event.kind !== "work" && event.kind !== "wait" && event.kind !== "send") continue;
    const key = `${event.step} ${event.agent}`;
    // A step that finished one subtask went on with the next: the first event is what was chosen.
    if (!wanted.has(key)) wanted.set(key, event);
  }
  let next = 0;
  return {
    steps,
    events,
    faults: events.length - expected.length,
    intentionOf: (step, agent) => toIntention(wanted.get(`${step} ${agent}`)),
    peek: (kind, step) => {
      const event = expected.at(next);
      if (event?.kind === kind) return event as EventOf<typeof kind>;
      throw differs(step, `it came to a ${kind}, the log has ${event?.kind ?? "nothing more"}`);
    },
    confirm: (event) => {
      const recorded = next < expected.length ? canonicalJson(expected[next]) : "nothing more";
      const played = canonicalJson(event);
      if (recorded !== played) throw differs(event.step, `the log has ${recorded}, now it is ${played}`);
      next++;
    },
    confirmEnd: () => {
      if (next < expected.length)
        throw differs(steps, `the log has ${canonicalJson(expected[next])}, now it is nothing`);
    },
  };
}

export const differs = (step: number, how: string): ColloquyError =>
  new ColloquyError("replay/differs", `step ${step} came out differently: ${how}`, {
    hint: "The project, the settings, the policy or the program have changed since the log was written.",
  });

function checkSteps(log: readonly unknown[]): void {
  let latest = 0;
  for (const [k, event] of log.entries()) {
    const step = isRecord(event) ? event.step : undefined;
    if (!Number.isInteger(step) || (step as number) > stepLimit)
      throw new ColloquyError("replay/log", `line ${k + 1} of the log is no event of a step from 0 to ${stepLimit}`);
    if ((step as number) < latest)
      throw new ColloquyError("replay/log", `an event of step ${step} stands after one of step ${latest}`);
    latest = step as number;
  }
}

function toIntention(event: WorkplaceEvent | undefined): unknown {
  switch (event?.kind) {
    case "wait":
      return { kind: "wait", reason: event.reason };
    case "work":
      return { kind: "work", subtask: event.about, reason: event.reason };
    case "send":
      return event.type === "reply"
        ? { ...event, kind: "reply", message: event.answers }
        : { ...event, kind: "communicate" };
    default:
      return undefined;
  }
}
