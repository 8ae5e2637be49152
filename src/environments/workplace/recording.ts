import { ColloquyError } from "../../base/errors.ts";
import type { Guidance } from "../../contracts/workplace/message.ts";
import type { Intention } from "../../contracts/workplace/mind.ts";
import type { WorkplaceEvent } from "../../contracts/workplace/record.ts";

/** What came from outside (minds, judge) in the steps that a log holds whole, ready to be taken again. */
export interface Recording {
  /** Steps 0 to this − 1 are whole. */
  readonly steps: number;
  /** The events of these steps. */
  readonly events: readonly WorkplaceEvent[];
  intentionsOf(step: number): ReadonlyMap<number, Intention>;
  /** The next one, in the order they came. @throws ColloquyError `replay/differs` where there is none */
  nextContribution(): Guidance;
  nextDelta(): number;
}

/**
 * Reads a log, which may end anywhere: its last step may be torn and is played anew, unless the episode has ended.
 * @throws ColloquyError `replay/log` where steps are out of order
 */
export function readRecording(log: readonly WorkplaceEvent[]): Recording {
  const last = log.at(-1);
  const steps = last === undefined ? 0 : last.step;
  const events = log.filter(({ step }) => step < steps);
  const byStep = new Map<number, Map<number, Intention>>();
  const contributions: Guidance[] = [];
  const deltas: number[] = [];
  let latest = 0;
  for (const event of events) {
    if (event.step < latest)
      throw new ColloquyError("replay/log", `an event of step ${event.step} stands after one of step ${latest}`);
    latest = event.step;
    if (event.kind === "contribute") contributions.push(event.guidance);
    else if (event.kind === "judge") deltas.push(event.delta);
    else if (event.kind === "work" || event.kind === "wait" || event.kind === "send") {
      const chosen = byStep.get(event.step) ?? new Map<number, Intention>();
      byStep.set(event.step, chosen);
      // A step that finished one subtask went on with the next: the first event is what was chosen.
      if (!chosen.has(event.agent)) chosen.set(event.agent, toIntention(event));
    }
  }
  const next = <T>(items: readonly T[], what: string): (() => T) => {
    let k = 0;
    return () => {
      if (k < items.length) return items[k++];
      throw new ColloquyError("replay/differs", `the log holds ${items.length} ${what}, and another one was needed`, {
        hint: "The project, the settings or the program have changed since it was written.",
      });
    };
  };
  const none: ReadonlyMap<number, Intention> = new Map();
  return {
    steps,
    events,
    intentionsOf: (step) => byStep.get(step) ?? none,
    nextContribution: next(contributions, "contributions to meetings"),
    nextDelta: next(deltas, "judgements"),
  };
}

function toIntention(event: Extract<WorkplaceEvent, { kind: "work" | "wait" | "send" }>): Intention {
  const { reason } = event;
  if (event.kind === "wait") return { kind: "wait", reason };
  if (event.kind === "work") return { kind: "work", subtask: event.about, reason };
  const { type, channel, to, about, topics, words, text, answers, guidance } = event;
  return type === "reply"
    ? { kind: "reply", message: answers!, guidance: guidance!, reason }
    : { kind: "communicate", type, to, channel, about, topics, words, ...(text === undefined ? {} : { text }), reason };
}
