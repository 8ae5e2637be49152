import type { Rng } from "../../base/rng.ts";
import type { Channel, Guidance, Message, RequestType } from "./message.ts";
import type { Member, Tier } from "./project.ts";

/*
 * What an agent of the workplace knows and may want (C2C, section 3.5): context → intention → one action a step. AF and
 * shares are thousandths, effort is in units (4,000 an hour), time in steps of 15 minutes.
 */

/** One of the agent's own subtasks. */
export interface SubtaskView {
  readonly id: number;
  readonly title: string;
  readonly skills: readonly string[];
  readonly topics: readonly string[];
  readonly effort: number;
  /** What is left of it. */
  readonly left: number;
  /** AF of this agent on it, 10..1000. */
  readonly alignment: number;
  /** What talk alone can teach this agent of it. */
  readonly ceiling: number;
  /** All it waits for is done. */
  readonly isReady: boolean;
  /** Its requirements are unclear, and nobody has explained them yet. */
  readonly isUnclear: boolean;
  /** Topics the agent has noticed that it does not understand. */
  readonly gap: readonly string[];
  /** Teammates who need not be asked: their answers left some of the gap open, or the thread with them has ended. */
  readonly tried: readonly number[];
  /** Others whose work on linked subtasks shares a gap with this one; they would gain from a meeting. */
  readonly sharers: readonly number[];
  /** Owners of the subtasks that wait for it, of those it waits for, and of its neighbours. */
  readonly linked: readonly number[];
}

/** Somebody else, as far as one can see. */
export interface Teammate {
  readonly agent: number;
  readonly member: Member;
  readonly isManager: boolean;
  /** It is free to act in this step. */
  readonly isFree: boolean;
  /** Units it could do in a step on what it is working on, in thousandths of a step; 0 for the manager. */
  readonly rate: number;
  /** Requests it has not answered yet. */
  readonly unanswered: number;
  /** What this agent has got from it so far: answers, and the sum of what they raised AF by. */
  readonly answers: number;
  readonly gained: number;
}

/** A request of the agent's own that nobody has answered yet. */
export interface OpenRequest {
  readonly message: Message;
  /** The last step of its channel's response window. */
  readonly due: number;
}

/** Everything an agent may know when it chooses. Views are of this step: keep nothing of them. */
export interface MindContext {
  readonly agent: number;
  readonly member: Member;
  readonly isManager: boolean;
  readonly tier: Tier;
  /** 0-based. */
  readonly step: number;
  /** The last step + 1. */
  readonly limit: number;
  /** Unfinished subtasks of its own, in the order it would do them. */
  readonly subtasks: readonly SubtaskView[];
  /** A subtask finished since it last told anybody, that others wait for; `null` where there is none. */
  readonly milestone: number | null;
  /** Requests to it that can be answered, the most urgent first, then the oldest. */
  readonly inbox: readonly Message[];
  /** The last step in which an answer is still in time. */
  dueOf(message: Message): number;
  readonly open: readonly OpenRequest[];
  /** The teammates it may turn to about a subtask: the manager, owners of linked subtasks, and the best by skill. */
  teammatesFor(subtask: number): readonly Teammate[];
  teammate(agent: number): Teammate;
  /** In thousandths: the share of a subtask's skills that an agent has. */
  matchOf(agent: number, subtask: number): number;
  /**
   * How the team's strategy wants it to talk: weighing what it gains against what it costs, whenever it likes, or to report
   * at fixed steps alone.
   */
  readonly manner: "weigh" | "freely" | "report";
  /** It is to be at hand: to answer at once, and not at the end of a channel's window [ours]. */
  readonly isAtHand: boolean;
  /** Whether this step may begin a conversation at all. */
  readonly mayAsk: boolean;
  mayAskAgent(agent: number): boolean;
  /** What an attack wants it to do in its answers; the mind says it in its own words. */
  readonly orders?: "withhold" | "mislead";
  /** This agent's stream of this step. */
  readonly rng: Rng;
  readonly signal?: AbortSignal;
}

/** What an agent wants to do in a step; all say why, in one line. */
export type Intention =
  | { readonly kind: "work"; readonly subtask: number; readonly reason: string }
  /** Nothing it can or wants to do. */
  | { readonly kind: "wait"; readonly reason: string }
  | {
      readonly kind: "communicate";
      readonly type: RequestType | "progress_update";
      /** One teammate, or all who are invited to a meeting. */
      readonly to: readonly number[];
      readonly channel: Channel;
      readonly about: number;
      readonly topics: readonly string[];
      readonly words: number;
      readonly text?: string;
      readonly reason: string;
    }
  | {
      readonly kind: "reply";
      /** Id of the message it answers. */
      readonly message: number;
      readonly guidance: Guidance;
      readonly reason: string;
    };

/** What calls of language models an intention took; absent where there were none. */
export interface MindUsage {
  readonly calls: number;
  readonly tokens: number | null;
  readonly cost: number | null;
  /** Replies that could not be read as an intention, those mended by a second attempt included. */
  readonly malformed: number;
}

/** Whoever can decide: a simulated mind, a language model, a program of the user's. One mind serves one agent. */
export interface Mind {
  decide(context: MindContext): Intention | Promise<Intention>;
  /** What it would tell the others of a meeting about these topics of a subtask. */
  contribute(context: MindContext, about: number, topics: readonly string[]): Guidance | Promise<Guidance>;
  /** What its decisions have taken so far. */
  usage?(): MindUsage;
}

/** One thing to be judged: how far some guidance meets a gap. */
export interface Exchange {
  readonly tier: Tier;
  readonly channel: Channel;
  readonly type: RequestType;
  /** What was asked. */
  readonly topics: readonly string[];
  readonly text?: string;
  readonly guidance: Guidance;
  /** In thousandths: skill match of who answered, and the AF of who asked. */
  readonly match: number;
  readonly alignment: number;
  readonly signal?: AbortSignal;
}

/** Judges Δ of an exchange, in thousandths of AF, 0..500 (C2C, section 3.2). */
export type Judge = (exchange: Exchange) => number | Promise<number>;
