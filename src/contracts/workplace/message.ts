/** What a message is for (C2C, section 3.3.1). Its other name for `progress_update`, `progress_report`, is read as well. */
export type RequestType = "help_request" | "need_clarification" | "meeting_invite";
export type MessageType = RequestType | "progress_update" | "reply";

/** How it is sent. A meeting is a channel of its own. */
export type Channel = "chat" | "email" | "meeting";

/** What somebody says to help another; a stranger's words where a language model wrote them. */
export interface Guidance {
  /** The topics it claims to explain. */
  readonly covers: readonly string[];
  /** In thousandths: how clear and actionable it is. */
  readonly clarity: number;
  /** Length, for what writing and reading it costs. */
  readonly words: number;
  /** Absent from simulated minds. Untrusted. */
  readonly text?: string;
  /**
   * Set by attacks alone, and hidden from everybody: what following it does to understanding in place of what it seems
   * to do, in thousandths of AF; may be below 0.
   */
  readonly effect?: number;
}

/** A message in somebody's mail. */
export interface Message {
  /** Counts up from 0 within an episode. */
  readonly id: number;
  readonly type: MessageType;
  readonly channel: Channel;
  readonly from: number;
  readonly to: number;
  /** Index of the subtask it is about. */
  readonly about: number;
  /** What the sender wants explained; for an update what was done. */
  readonly topics: readonly string[];
  /** The step it was sent in; it is in the mail from the next one on. */
  readonly sentAt: number;
  /** First message of its thread, itself for an opening one; asking the same one about the same subtask again goes on with it. */
  readonly thread: number;
  /** Replies in the thread up to and including this message: 0 for an opening one, 3 at most. */
  readonly depth: number;
  readonly words: number;
  /** Untrusted. */
  readonly text?: string;
  /** Of replies. */
  readonly guidance?: Guidance;
}
