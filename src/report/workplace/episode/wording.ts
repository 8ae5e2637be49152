import type { MessageType } from "../../../contracts/workplace/message.ts";
import { shorten } from "../../page/wording.ts";
import type { ShownWorkplaceEpisode } from "../report-data.ts";

/** Steps are quarters of an hour. */
export const hoursOf = (steps: number): number => steps / 4;

/** `3.25 h` */
export const sayHours = (hours: number): string => `${Number(hours.toFixed(2))}\u00a0h`;

/** AF from thousandths: `.55`, `1`. */
export const sayAlignment = (thousandths: number): string => (thousandths / 1000).toFixed(2).replace(/^0/, "");

/** `3 Dana`: reasons call agents by their numbers. Adversaries have a mark: `◆4 Bo`. */
export function agentName({ members, record }: ShownWorkplaceEpisode, agent: number): string {
  const mark = record.onsets[agent] > 0 ? "◆" : "";
  return `${mark}${agent} ${shorten(members[agent] ?? "", 18)}`.trim();
}

/** `#4 session store` */
export function subtaskName({ subtasks }: ShownWorkplaceEpisode, about: number, limit = 60): string {
  return `#${about} ${shorten(subtasks[about] ?? "", limit)}`.trim();
}

/** How types of messages are called. */
export const messageNames: Readonly<Record<MessageType, string>> = {
  help_request: "help request",
  need_clarification: "clarification",
  meeting_invite: "meeting invitation",
  progress_update: "progress update",
  reply: "reply",
};
