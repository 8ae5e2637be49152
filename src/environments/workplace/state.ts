import { mix32 } from "../../base/fnv.ts";
import type { Rng } from "../../base/rng.ts";
import type { Channel, Message, MessageType, RequestType } from "../../contracts/workplace/message.ts";
import type { Mind, OpenRequest } from "../../contracts/workplace/mind.ts";
import type { Member, Plan, Project } from "../../contracts/workplace/project.ts";
import type { WorkplaceEvent } from "../../contracts/workplace/record.ts";
import type { TierSettings } from "./planning/tiers.ts";
import type { Recording } from "./recording.ts";
import { initialAlignment, type WorkplaceSettings } from "./settings.ts";

/** A meeting from its invitation to its end. */
export interface Meeting {
  readonly invitation: Message;
  readonly invited: readonly number[];
  /** Who said yes, the organiser first; `null` until the step after the invitation. */
  accepted: readonly number[] | null;
  /** Step at whose beginning it ends; -1 until it has started. */
  endsAt: number;
  isOver: boolean;
}

/** What one agent and another have said to each other about a subtask. */
export interface Thread {
  /** Id of its first message. */
  readonly first: number;
  readonly subtask: number;
  readonly asker: number;
  readonly asked: number;
  replies: number;
}

/** What an agent is doing with a step. */
export const occupations = ["work", "communicate", "reply", "meeting", "wait"] as const;
export type Occupation = (typeof occupations)[number];

/** Sum and count, kept apart. */
export interface MutableTally {
  count: number;
  sum: number;
}

/**
 * An episode being played. Suffixes: N agents, S subtasks. AF is in thousandths, effort in units, all integers: sums of
 * fractions would give 5.25 hours where 5.0 is right.
 */
export interface WorkState {
  readonly settings: WorkplaceSettings;
  /** N of this project's team. */
  readonly agents: number;
  readonly project: Project;
  readonly plan: Plan;
  readonly tier: TierSettings;
  readonly minds: readonly Mind[];
  readonly seed: number;
  readonly rng: Rng;
  readonly signal: AbortSignal | undefined;
  step: number;

  readonly ownerS: Int32Array;
  readonly leftS: Int32Array;
  /** AF of its owner on it; what earlier owners knew is kept in `known`. */
  readonly alignmentS: Int32Array;
  readonly known: Map<number, number>;
  /** Step count at which it was done; -1 until then. */
  readonly doneAtS: Int32Array;
  /** How many of those it waits for are not done. */
  readonly blockersS: Int32Array;
  readonly dependentsS: readonly (readonly number[])[];
  readonly unclearS: Uint8Array;
  /** Steps it has been worked on (only unbegun work changes hands); and the AF summed over these. */
  readonly workedS: Int32Array;
  readonly alignmentSumS: Float64Array;
  readonly gapS: string[][];
  readonly explainedS: Set<string>[];
  /** Who has answered about the gap and left some of it open. */
  readonly triedS: number[][];
  /** Linked subtasks whose owners share the gap. */
  readonly sharedS: number[][];

  /** Unfinished subtasks of each agent, in the order it would do them. */
  readonly queueN: number[][];
  readonly milestoneN: (number | null)[];
  /** First step in which it is free again. */
  readonly busyUntilN: Int32Array;
  readonly busyWithN: Occupation[];
  readonly mailN: Message[][];
  readonly openN: OpenRequest[][];
  /** AF that its answers have given others, and that others' have given it. */
  readonly givenN: MutableTally[];
  readonly receivedN: MutableTally[];
  /** By asker · N + answerer. */
  readonly pairGains: Map<number, MutableTally>;
  /** See `threadOf`. */
  readonly threads: Map<number, Thread>;
  /** Threads about each subtask that have ended. */
  readonly closedS: Thread[][];
  /** By sender · N + receiver. */
  readonly pairCounts: Map<number, number>;
  readonly occupancy: Readonly<Record<Occupation, Int32Array>>;
  /** 1 for every step of the last 16 that went to communication, as bits. */
  readonly recentTalkN: Int32Array;

  /** Sent in this step; in the mail from the next one on. */
  buffer: Message[];
  nextMessage: number;
  /** Those that are not over, and those that have ended since the last step. */
  meetings: Meeting[];
  minutes: number;
  readonly sent: Record<MessageType, number>;
  readonly channels: Record<Channel, number>;
  readonly gains: Record<RequestType, MutableTally>;
  readonly responses: Record<Channel, MutableTally>;
  reassigned: number;
  held: number;
  cancelled: number;
  faults: number;

  /** Who may not begin or receive a conversation: everyone whose bit is 1. */
  focusedN: Uint8Array;
  /** By asker · N + asked, where the policy decides; `null` where everybody may ask anybody. */
  allowed: Set<number> | null;
  /** `null` where nobody wants them. */
  readonly events: WorkplaceEvent[] | null;
  /** What came from outside when these steps were first played; absent where they are played for the first time. */
  readonly recording: Recording | null;
}

/** A number in [0, 1) that depends on the episode and these numbers alone, whatever else has happened. */
export function chance({ seed }: Pick<WorkState, "seed">, purpose: number, a: number, b = 0, c = 0): number {
  let h = mix32(seed ^ Math.imul(purpose, 0x9e3779b1));
  for (const part of [a, b, c]) h = mix32((h ^ Math.imul(part + 1, 0x85ebca6b)) | 0);
  return h / 4294967296;
}

/** What `chance` is asked for. */
export const purposes = { unclear: 1, gap: 2, share: 3, depth: 4 } as const;

export const isDone = (state: WorkState, subtask: number): boolean => state.doneAtS[subtask] >= 0;

export const isReady = (state: WorkState, subtask: number): boolean =>
  state.blockersS[subtask] === 0 && state.doneAtS[subtask] < 0;

export const isFree = (state: WorkState, agent: number): boolean => state.busyUntilN[agent] <= state.step;

/** Whether this step stands whole in the log that the episode goes on from. */
export const isReplayed = ({ recording, step }: WorkState): boolean => recording !== null && step < recording.steps;

/** @throws ColloquyError `replay/differs` where what is played again does not come out as the log has it */
export function log(state: WorkState, event: WorkplaceEvent): void {
  if (state.events === null) return;
  if (isReplayed(state)) {
    state.recording!.confirm(event);
    return;
  }
  state.recording?.confirmEnd();
  state.events.push(event);
  state.settings.onEvent?.(event);
}

/** As minds see it: nothing in it can be changed. */
const freezeMember = ({ name, skills }: Member): Member => Object.freeze({ name, skills: Object.freeze([...skills]) });

const tally = (): MutableTally => ({ count: 0, sum: 0 });

/** The state before the first step. */
export function createState(
  settings: WorkplaceSettings,
  project: Project,
  plan: Plan,
  minds: readonly Mind[],
  rng: Rng,
  recording: Recording | null = null,
  signal?: AbortSignal,
): WorkState {
  const N = project.members.length;
  const S = plan.subtasks.length;
  const dependentsS: number[][] = plan.subtasks.map(() => []);
  plan.subtasks.forEach(({ after }, s) => {
    for (const other of after) dependentsS[other].push(s);
  });
  const each = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make);
  return {
    settings,
    agents: N,
    project: { ...project, members: project.members.map(freezeMember) },
    plan,
    tier: settings.tiers[project.tier],
    minds,
    seed: rng.fork("chance").integer(2 ** 31),
    rng,
    signal,
    step: 0,
    ownerS: Int32Array.from(plan.owners),
    leftS: Int32Array.from(plan.subtasks, ({ effort }) => effort),
    alignmentS: new Int32Array(S).fill(initialAlignment),
    known: new Map(),
    doneAtS: new Int32Array(S).fill(-1),
    blockersS: Int32Array.from(plan.subtasks, ({ after }) => after.length),
    dependentsS,
    unclearS: new Uint8Array(S),
    workedS: new Int32Array(S),
    alignmentSumS: new Float64Array(S),
    gapS: each(S, () => []),
    explainedS: each(S, () => new Set()),
    triedS: each(S, () => []),
    sharedS: each(S, () => []),
    queueN: each(N, () => []),
    milestoneN: new Array<number | null>(N).fill(null),
    busyUntilN: new Int32Array(N),
    busyWithN: new Array<Occupation>(N).fill("wait"),
    mailN: each(N, () => []),
    openN: each(N, () => []),
    givenN: each(N, tally),
    receivedN: each(N, tally),
    pairGains: new Map(),
    threads: new Map(),
    closedS: each(S, () => []),
    pairCounts: new Map(),
    occupancy: {
      work: new Int32Array(N),
      communicate: new Int32Array(N),
      reply: new Int32Array(N),
      meeting: new Int32Array(N),
      wait: new Int32Array(N),
    },
    recentTalkN: new Int32Array(N),
    buffer: [],
    nextMessage: 0,
    meetings: [],
    minutes: 0,
    sent: { help_request: 0, need_clarification: 0, meeting_invite: 0, progress_update: 0, reply: 0 },
    channels: { chat: 0, email: 0, meeting: 0 },
    gains: { help_request: tally(), need_clarification: tally(), meeting_invite: tally() },
    responses: { chat: tally(), email: tally(), meeting: tally() },
    reassigned: 0,
    held: 0,
    cancelled: 0,
    faults: recording?.faults ?? 0,
    focusedN: new Uint8Array(N),
    allowed: null,
    events: settings.log || recording !== null ? [...(recording?.events ?? [])] : null,
    recording,
  };
}
