import type { Guidance } from "../../contracts/workplace/message.ts";
import type { Intention } from "../../contracts/workplace/mind.ts";
import { isOpen, mayAsk } from "./seat.ts";
import { threadDepth } from "./settings.ts";
import { isReady, type WorkState } from "./state.ts";

/** The most topics of a message, and the most people of a meeting, that are taken. */
const mostTopics = 8;
const mostInvited = 32;

/**
 * Why an agent cannot do what it wants, in words; `undefined` where it can. Minds are strangers: whatever they return is
 * looked at before it is done.
 */
export function refuse(state: WorkState, agent: number, intention: Intention): string | undefined {
  switch (intention?.kind) {
    case "wait":
      return checkReason(intention.reason);
    case "work":
      return checkReason(intention.reason) ?? refuseWork(state, agent, intention.subtask);
    case "communicate":
      return checkReason(intention.reason) ?? refuseRequest(state, agent, intention);
    case "reply":
      return checkReason(intention.reason) ?? refuseReply(state, agent, intention);
    default:
      return `it wants ${JSON.stringify((intention as { kind?: unknown } | null | undefined)?.kind) ?? "nothing"}, which is no action`;
  }
}

const checkReason = (reason: unknown): string | undefined =>
  typeof reason === "string" && reason !== "" ? undefined : "it gives no reason";

function refuseWork(state: WorkState, agent: number, subtask: number): string | undefined {
  if (!isSubtask(state, subtask)) return `there is no subtask ${String(subtask)}`;
  if (state.ownerS[subtask] !== agent) return `subtask ${subtask} belongs to agent ${state.ownerS[subtask]}`;
  if (state.doneAtS[subtask] >= 0) return `subtask ${subtask} is done`;
  return isReady(state, subtask) ? undefined : `subtask ${subtask} waits for others`;
}

function refuseRequest(
  state: WorkState,
  agent: number,
  { type, to, channel, about, topics, words }: Extract<Intention, { kind: "communicate" }>,
): string | undefined {
  if (!["help_request", "need_clarification", "meeting_invite", "progress_update"].includes(type))
    return `there is no message type ${JSON.stringify(type)}`;
  if (!["chat", "email", "meeting"].includes(channel)) return `there is no channel ${JSON.stringify(channel)}`;
  if ((type === "meeting_invite") !== (channel === "meeting")) return `a ${type} is not sent by ${channel}`;
  if (!Array.isArray(to) || to.length === 0 || to.length > mostInvited) return "it names nobody, or too many";
  if (new Set(to).size !== to.length) return "it names somebody twice";
  if (type !== "meeting_invite" && to.length !== 1) return `a ${type} goes to one teammate`;
  if (!Array.isArray(topics) || topics.length > mostTopics || topics.some((topic) => typeof topic !== "string"))
    return "its topics are no short list of texts";
  if (!isSize(words)) return `it has ${String(words)} words`;
  if (!isSubtask(state, about)) return `there is no subtask ${String(about)}`;
  for (const other of to) {
    if (!Number.isInteger(other) || other < 0 || other >= state.settings.agents)
      return `there is no agent ${String(other)}`;
    if (other === agent) return "it addresses itself";
  }
  if (!isOpen(state)) return "nobody may begin a conversation in this step";
  if (state.focusedN[agent] === 1) return "it is to keep to its work";
  const closed = to.find((other) => !mayAsk(state, agent, other));
  if (closed !== undefined) return `it may not turn to agent ${closed}`;
  if (type === "progress_update") return undefined;
  if (state.ownerS[about] !== agent) return `subtask ${about} belongs to agent ${state.ownerS[about]}`;
  if (state.openN[agent].some(({ message }) => message.about === about))
    return `it has an open request about subtask ${about}`;
  return undefined;
}

function refuseReply(
  state: WorkState,
  agent: number,
  { message, guidance }: Extract<Intention, { kind: "reply" }>,
): string | undefined {
  const asked = state.mailN[agent].find(({ id }) => id === message);
  if (asked === undefined) return `there is no message ${String(message)} that it could answer`;
  if (asked.depth >= threadDepth) return `the thread of message ${message} has had its ${threadDepth} replies`;
  return refuseGuidance(guidance);
}

/** Why something cannot be taken as guidance; `undefined` where it can. */
export function refuseGuidance(guidance: Guidance): string | undefined {
  const { covers, clarity, words } = guidance ?? {};
  if (!Array.isArray(covers) || covers.some((topic) => typeof topic !== "string"))
    return "its answer covers no list of topics";
  if (!(Number.isFinite(clarity) && clarity >= 0 && clarity <= 1000))
    return `its answer has the clarity ${String(clarity)}`;
  return isSize(words) ? undefined : `its answer has ${String(words)} words`;
}

const isSubtask = ({ plan }: WorkState, subtask: unknown): boolean =>
  Number.isInteger(subtask) && (subtask as number) >= 0 && (subtask as number) < plan.subtasks.length;

const isSize = (words: unknown): boolean =>
  Number.isInteger(words) && (words as number) >= 0 && (words as number) <= 10_000;
