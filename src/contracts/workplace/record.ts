import type { EpisodeTrace } from "../trace.ts";
import type { Channel, Guidance, MessageType, RequestType } from "./message.ts";
import type { Tier } from "./project.ts";

/*
 * What is kept of an episode of the workplace. Steps are of 15 minutes and count from 0; AF is in thousandths; minutes are
 * the ledger of costs.
 */

/**
 * One line of an episode's event log, in the order things happened. `agent` is who did it, `about` a subtask. With the
 * project and the settings of the run the log gives the episode back, and an interrupted one goes on from it.
 */
export type WorkplaceEvent =
  | {
      readonly step: number;
      readonly kind: "assign";
      readonly agent: number;
      readonly about: number;
      readonly reason: string;
    }
  /** The policy's decision for the steps to come. */
  | {
      readonly step: number;
      readonly kind: "decide";
      readonly focused: readonly number[];
      /** `[i, j]`: j may ask i. */
      readonly edges: readonly (readonly [number, number])[];
    }
  | {
      readonly step: number;
      readonly kind: "work";
      readonly agent: number;
      readonly about: number;
      readonly done: number;
      readonly reason: string;
    }
  | { readonly step: number; readonly kind: "wait"; readonly agent: number; readonly reason: string }
  | {
      readonly step: number;
      readonly kind: "send";
      readonly agent: number;
      readonly message: number;
      readonly type: MessageType;
      readonly channel: Channel;
      readonly to: readonly number[];
      readonly about: number;
      readonly topics: readonly string[];
      readonly words: number;
      readonly minutes: number;
      readonly text?: string;
      /** Of replies: the message answered, and what was said. */
      readonly answers?: number;
      readonly guidance?: Guidance;
      readonly reason: string;
    }
  /** What somebody told the others of a meeting. */
  | {
      readonly step: number;
      readonly kind: "contribute";
      readonly agent: number;
      readonly about: number;
      readonly guidance: Guidance;
    }
  /** Δ as it was judged, in thousandths, before anything bounds it. */
  | { readonly step: number; readonly kind: "judge"; readonly about: number; readonly delta: number }
  /** An answer changed what its asker understands. */
  | {
      readonly step: number;
      readonly kind: "learn";
      readonly agent: number;
      readonly about: number;
      readonly from: number;
      readonly type: RequestType;
      readonly channel: Channel;
      readonly before: number;
      readonly after: number;
    }
  | {
      readonly step: number;
      readonly kind: "meeting";
      readonly meeting: number;
      readonly what: "accepted" | "started" | "ended" | "cancelled";
      readonly members: readonly number[];
      readonly reason?: string;
    }
  | { readonly step: number; readonly kind: "done"; readonly agent: number; readonly about: number }
  /** A mind failed, stalled or asked for what cannot be; what it did instead is the event that follows. */
  | { readonly step: number; readonly kind: "fault"; readonly agent: number; readonly reason: string }
  | { readonly step: number; readonly kind: "end"; readonly outcome: string };

/** Counts of what was sent, by type. */
export type MessageCounts = Readonly<Record<MessageType, number>>;

/** A count and a sum: their ratio is a mean that can be pooled. */
export interface Tally {
  readonly count: number;
  readonly sum: number;
}

/** The record of an episode of the workplace. */
export interface WorkplaceRecord extends EpisodeTrace {
  readonly outcome: "finished" | "unfinished" | "failed";
  readonly tier: Tier;
  /** W; the team has one more. */
  readonly workers: number;
  /** Steps until all was done, or the limit. */
  readonly steps: number;
  /** For each task the step count at which it was done; `null` where it was not. */
  readonly doneAt: readonly (number | null)[];
  /** For each task the share of its effort that is done, 0 to 1 (C2C, section 3.4); absent in older records. */
  readonly progress?: readonly number[];
  /** Units of effort of all tasks. */
  readonly effort: number;
  /** By the ledger, over all agents. */
  readonly communicationMinutes: number;
  /** What each agent did with its steps; N entries each. */
  readonly occupancy: {
    readonly work: readonly number[];
    readonly communicate: readonly number[];
    readonly reply: readonly number[];
    readonly meeting: readonly number[];
    readonly wait: readonly number[];
  };
  /** Mean AF over subtasks and their owners: at the end, and over the steps each was worked on. */
  readonly alignment: { readonly final: number; readonly mean: number };
  /** By type, and all of them by channel; an invitation counts once, however many are invited. */
  readonly sent: MessageCounts;
  readonly channels: Readonly<Record<Channel, number>>;
  /** ΔAF by type of request: answers, and thousandths. */
  readonly gains: Readonly<Record<RequestType, Tally>>;
  /** Steps from a request to its answer, by channel; a meeting's to its start. */
  readonly responses: Readonly<Record<Channel, Tally>>;
  /** `[from, to, messages]`, sorted. */
  readonly pairs: readonly (readonly [number, number, number])[];
  readonly subtasks: { readonly count: number; readonly clarity: number; readonly reassigned: number };
  readonly meetings: { readonly held: number; readonly cancelled: number };
  /** Intentions that could not be carried out, and replies of models that could not be read. */
  readonly faults: number;
  readonly malformed: number;
  /** Only where it was asked for. */
  readonly events?: readonly WorkplaceEvent[];
}
