import type { WorkplaceEvent } from "../../../contracts/workplace/record.ts";
import type { ShownWorkplaceEpisode } from "../report-data.ts";
import { agentName, messageNames, sayAlignment, subtaskName } from "./wording.ts";

/** What a reader of the trace can ask for, by name. */
export const traceKinds = {
  ask: "asks and tells",
  reply: "replies",
  meeting: "meetings",
  learn: "understanding",
  work: "work",
  wait: "waiting",
  plan: "assignments and what is done",
  decide: "decisions of the policy",
  fault: "faults",
} as const;

export type TraceKind = keyof typeof traceKinds;

/** A line of the trace of reasons. Reasons and quotes are a stranger's words. */
export interface TraceRow {
  readonly from: number;
  /** The step after its last one. */
  readonly to: number;
  readonly kind: TraceKind;
  /** Who did it; `null` where it was nobody of the team. */
  readonly agent: number | null;
  /** All who have to do with it. */
  readonly agents: readonly number[];
  /** What happened, in our words. */
  readonly what: string;
  readonly reason?: string;
  /** What was said. */
  readonly quote?: string;
}

/** The log as lines to read: what is the same for several steps is one line. */
export function traceRows(episode: ShownWorkplaceEpisode): TraceRow[] {
  const rows: TraceRow[] = [];
  const lastN = new Map<number, number>();
  for (const event of episode.record.events ?? []) {
    const row = rowOf(episode, event);
    const before = row.agent === null ? undefined : lastN.get(row.agent);
    const last = before === undefined ? undefined : rows[before];
    const goesOn =
      (row.kind === "work" || row.kind === "wait") &&
      last !== undefined &&
      last.to >= row.from &&
      ["kind", "what", "reason"].every((key) => last[key as keyof TraceRow] === row[key as keyof TraceRow]);
    if (goesOn) rows[before!] = { ...last, to: row.to };
    else {
      if (row.agent !== null) lastN.set(row.agent, rows.length);
      rows.push(row);
    }
  }
  return rows;
}

function rowOf(episode: ShownWorkplaceEpisode, event: WorkplaceEvent): TraceRow {
  const subject = "about" in event ? subtaskName(episode, event.about) : "";
  const [from, to] = [event.step, event.step + 1];
  const alone = "agent" in event ? { agent: event.agent, agents: [event.agent] } : { agent: null, agents: [] };
  const nameAll = (agents: readonly number[]): string => agents.map((agent) => agentName(episode, agent)).join(", ");
  switch (event.kind) {
    case "assign":
      return { from, to, kind: "plan", ...alone, what: `is given ${subject}`, reason: event.reason };
    case "done":
      return { from, to, kind: "plan", ...alone, what: `has done ${subject}` };
    case "work":
      return { from, to, kind: "work", ...alone, what: `works on ${subject}`, reason: event.reason };
    case "wait":
      return { from, to, kind: "wait", ...alone, what: "waits", reason: event.reason };
    case "fault":
      return { from, to, kind: "fault", ...alone, what: "could not do what it wanted", reason: event.reason };
    case "send": {
      const { agent, type, channel, reason } = event;
      const name = channel === "meeting" ? messageNames[type] : `${messageNames[type]} by ${channel}`;
      const quote = event.guidance?.text ?? event.text;
      const what = `${name} to ${nameAll(event.to)}, about ${subject}${topicsOf(event)}`;
      const kind = type === "reply" ? "reply" : "ask";
      return { from, to, kind, agent, agents: [agent, ...event.to], what, reason, quote };
    }
    case "contribute":
      return {
        ...{ from, to, kind: "meeting", ...alone, quote: event.guidance.text },
        what: `tells the meeting about ${subject}: ${event.guidance.covers.join(", ") || "nothing that was asked"}`,
      };
    case "judge":
      return { from, to, kind: "learn", ...alone, what: `an answer about ${subject} is judged ${change(event.delta)}` };
    case "learn": {
      const { agent, before, after } = event;
      const what = `AF on ${subject} ${sayAlignment(before)} → ${sayAlignment(after)} (${change(after - before)}) through ${agentName(episode, event.from)}`;
      return { from, to, kind: "learn", agent, agents: [agent, event.from], what };
    }
    case "meeting": {
      const what = `the meeting of ${nameAll(event.members)} is ${event.what}`;
      return { from, to, kind: "meeting", agent: null, agents: event.members, what, reason: event.reason };
    }
    case "decide":
      return { from, to, kind: "decide", ...alone, what: describeDecision(event, nameAll) };
    case "end":
      return { from, to: from, kind: "plan", ...alone, what: `the end: ${event.outcome}` };
  }
}

const change = (thousandths: number): string => `${thousandths < 0 ? "−" : "+"}${sayAlignment(Math.abs(thousandths))}`;

const topicsOf = ({ topics }: { readonly topics: readonly string[] }): string =>
  topics.length === 0 ? "" : ` (${topics.join("; ")})`;

function describeDecision(
  { focused, edges }: Extract<WorkplaceEvent, { kind: "decide" }>,
  nameAll: (agents: readonly number[]) => string,
): string {
  const quiet = focused.length === 0 ? "nobody is to work undisturbed" : `undisturbed: ${nameAll(focused)}`;
  const asks = edges.map(([source, asker]) => `${asker} → ${source}`).join(", ");
  return `${quiet}; who may ask whom: ${asks || "nobody"}`;
}
