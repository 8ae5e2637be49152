import type { Intention } from "../../contracts/workplace/mind.ts";
import { isOpen, mayAsk } from "./seat.ts";
import { threadDepth } from "./settings.ts";
import { isDone, isReady, type WorkState } from "./state.ts";
import { hasEnded, threadOf } from "./threads.ts";

/** Why an agent cannot do what it wants, in words; `undefined` where it can. */
export function refuse(state: WorkState, agent: number, intention: Intention): string | undefined {
  switch (intention.kind) {
    case "wait":
      return undefined;
    case "work":
      return refuseWork(state, agent, intention.subtask);
    case "communicate":
      return refuseMessage(state, agent, intention);
    case "reply":
      return refuseReply(state, agent, intention.message);
  }
}

function refuseWork(state: WorkState, agent: number, subtask: number): string | undefined {
  if (subtask >= state.plan.subtasks.length) return `there is no subtask ${subtask}`;
  if (state.ownerS[subtask] !== agent) return `subtask ${subtask} belongs to agent ${state.ownerS[subtask]}`;
  if (isDone(state, subtask)) return `subtask ${subtask} is done`;
  return isReady(state, subtask) ? undefined : `subtask ${subtask} waits for others`;
}

function refuseMessage(
  state: WorkState,
  agent: number,
  { type, to, channel, about }: Extract<Intention, { kind: "communicate" }>,
): string | undefined {
  if ((type === "meeting_invite") !== (channel === "meeting")) return `a ${type} is not sent by ${channel}`;
  if (new Set(to).size !== to.length) return "it names somebody twice";
  if (type !== "meeting_invite" && to.length !== 1) return `a ${type} goes to one teammate`;
  if (about >= state.plan.subtasks.length) return `there is no subtask ${about}`;
  const stranger = to.find((other) => other >= state.agents);
  if (stranger !== undefined) return `there is no agent ${stranger}`;
  if (to.includes(agent)) return "it addresses itself";
  if (!isOpen(state)) return "nobody may begin a conversation in this step";
  if (state.focusedN[agent] === 1) return "it is to keep to its work";
  const closed = to.find((other) => !mayAsk(state, agent, other));
  if (closed !== undefined) return `it may not turn to agent ${closed}`;
  if (type === "progress_update") return undefined;
  if (state.ownerS[about] !== agent) return `subtask ${about} belongs to agent ${state.ownerS[about]}`;
  if (isDone(state, about)) return `subtask ${about} is done`;
  if (state.openN[agent].some(({ message }) => message.about === about))
    return `it has an open request about subtask ${about}`;
  const [asked] = to;
  if (type !== "meeting_invite" && hasEnded(threadOf(state, about, agent, asked)))
    return `its thread with agent ${asked} about subtask ${about} has had its ${threadDepth} replies`;
  return undefined;
}

function refuseReply(state: WorkState, agent: number, message: number): string | undefined {
  const asked = state.mailN[agent].find(({ id }) => id === message);
  if (asked === undefined) return `there is no message ${message} that it could answer`;
  if (asked.depth >= threadDepth) return `the thread of message ${message} has had its ${threadDepth} replies`;
  return undefined;
}
