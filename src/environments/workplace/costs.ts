import type { Channel } from "../../contracts/workplace/message.ts";

/**
 * What communication takes. Base times are published (C2C, section 4.1: chat 3 minutes, email 9 and its length, meetings 30
 * at least with preparation and participants); the coefficients are ours.
 */
export interface Costs {
  readonly chatMinutes: number;
  readonly emailMinutes: number;
  /** Words an email's sender writes, and its receiver reads, in a minute. */
  readonly writingWords: number;
  readonly readingWords: number;
  readonly meetingMinutes: number;
  /** Preparation of each agenda item, the organiser's. */
  readonly agendaMinutes: number;
  /** For every participant beyond two, charged to every participant. */
  readonly participantMinutes: number;
  /** Steps within which an answer is expected. */
  readonly chatWindow: number;
  readonly emailWindow: number;
  /** Steps after which a meeting that could not start is cancelled. */
  readonly meetingPatience: number;
}

export const defaultCosts: Costs = {
  chatMinutes: 3,
  emailMinutes: 9,
  writingWords: 40,
  readingWords: 200,
  meetingMinutes: 30,
  agendaMinutes: 5,
  participantMinutes: 2,
  chatWindow: 1,
  emailWindow: 4,
  meetingPatience: 8,
};

/** Minutes of one step. */
export const stepMinutes = 15;

/** Steps that an action of so many minutes occupies; what is left of the last one is lost [ours]. */
export const stepsOf = (minutes: number): number => Math.max(1, Math.ceil(minutes / stepMinutes));

/** Minutes of writing a message, the sender's. */
export const writingMinutes = (channel: Channel, words: number, costs: Costs): number =>
  channel === "chat" ? costs.chatMinutes : Math.ceil(costs.emailMinutes + words / costs.writingWords);

/** Minutes of reading it, in the ledger alone: it takes no step of its own. */
export const readingMinutes = (channel: Channel, words: number, costs: Costs): number =>
  channel === "email" ? Math.ceil(words / costs.readingWords) : 0;

/** Minutes of preparing an invitation with so many agenda items, the organiser's. */
export const preparationMinutes = (items: number, costs: Costs): number => costs.agendaMinutes * Math.max(1, items);

/** Minutes of a meeting of so many participants, for each of them. */
export const meetingMinutes = (participants: number, costs: Costs): number =>
  costs.meetingMinutes + costs.participantMinutes * Math.max(0, participants - 2);

/** The last step in which an answer to a message sent at `sentAt` is in time. */
export const answerDue = (channel: Channel, sentAt: number, costs: Costs): number =>
  sentAt + (channel === "chat" ? costs.chatWindow : costs.emailWindow);
