import type { Channel, Guidance, RequestType } from "../../contracts/workplace/message.ts";
import { skillMatch } from "./planning/assign.ts";
import { initialAlignment, leastAlignment } from "./settings.ts";
import { chance, log, purposes, type WorkState } from "./state.ts";

/** In thousandths: the share of a subtask's skills that an agent has. */
export const matchOf = ({ project, plan }: WorkState, agent: number, subtask: number): number =>
  skillMatch(project.members[agent], plan.subtasks[subtask].skills, agent === 0);

/** What talk alone can teach an agent of a subtask, in thousandths of AF [ours]. */
export function ceilingOf(state: WorkState, agent: number, subtask: number): number {
  const { ceiling, ceilingUnskilled } = state.tier;
  return Math.round(ceilingUnskilled + ((ceiling - ceilingUnskilled) * matchOf(state, agent, subtask)) / 1000);
}

/** What an answer was to: who asked whom about what, and how. */
export interface Lesson {
  readonly learner: number;
  readonly teacher: number;
  readonly about: number;
  readonly type: RequestType;
  readonly channel: Channel;
  readonly topics: readonly string[];
}

/**
 * AF ← min(1, AF + Δ) (C2C, section 3.2), bounded by what talk alone can teach; guidance that an attack has made harmful
 * has its own effect. Understanding gained from somebody is remembered by both.
 * @param delta Δ as judged, in thousandths
 * @returns what AF has risen by, or fallen where it is below 0
 */
export function learn(state: WorkState, lesson: Lesson, guidance: Guidance, delta: number): number {
  const { learner, teacher, about, type, channel, topics } = lesson;
  // Somebody else has it now, and has heard nothing.
  if (state.ownerS[about] !== learner) return 0;
  for (const topic of guidance.covers) if (topics.includes(topic)) state.explainedS[about].add(topic);
  state.gapS[about] = state.gapS[about].filter((topic) => !state.explainedS[about].has(topic));
  const leftOpen = topics.some((topic) => !state.explainedS[about].has(topic));
  // A chat has room for one topic: whoever explained that may know the rest.
  if (leftOpen && (channel !== "chat" || guidance.covers.length === 0)) state.triedS[about].push(teacher);
  if (type === "need_clarification") state.unclearS[about] = 0;
  const before = state.alignmentS[about];
  const effect = guidance.effect ?? delta;
  const most = Math.max(before, Math.min(1000, ceilingOf(state, learner, about)));
  const after = Math.max(leastAlignment, Math.min(most, before + effect));
  state.alignmentS[about] = after;
  const gain = after - before;
  if (teacher !== learner) {
    add(state.givenN[teacher], gain);
    add(state.receivedN[learner], gain);
    add(pairOf(state, learner, teacher), gain);
  }
  log(state, { step: state.step, kind: "learn", agent: learner, about, from: teacher, type, channel, before, after });
  return gain;
}

export function add(tally: { count: number; sum: number }, value: number): void {
  tally.count++;
  tally.sum += value;
}

function pairOf(state: WorkState, learner: number, teacher: number): { count: number; sum: number } {
  const key = learner * state.agents + teacher;
  let pair = state.pairGains.get(key);
  if (pair === undefined) {
    pair = { count: 0, sum: 0 };
    state.pairGains.set(key, pair);
  }
  return pair;
}

/** Gives a subtask to an agent, who begins with what it already knows of it. */
export function handOver(state: WorkState, subtask: number, agent: number): void {
  const N = state.agents;
  const before = state.ownerS[subtask];
  state.known.set(subtask * N + before, state.alignmentS[subtask]);
  state.ownerS[subtask] = agent;
  state.alignmentS[subtask] = state.known.get(subtask * N + agent) ?? initialAlignment;
  state.gapS[subtask] = [];
  state.triedS[subtask] = [];
  state.sharedS[subtask] = [];
  // What was explained, was explained to somebody else.
  state.explainedS[subtask].clear();
  drawClarity(state, subtask);
}

/** Draws whether a subtask's requirements are unclear to its owner. */
export function drawClarity(state: WorkState, subtask: number): void {
  const { clarity, topics } = state.plan.subtasks[subtask];
  const share = state.tier.unclear + (1 - state.tier.unclear) * (1 - clarity / 1000);
  const isUnclear = topics.length > 0 && chance(state, purposes.unclear, subtask, state.ownerS[subtask]) < share;
  state.unclearS[subtask] = isUnclear ? 1 : 0;
}

/**
 * At the start of each hour of work on a subtask its owner may notice a gap: the next topics that nobody has explained.
 * The owners of linked subtasks may share it.
 */
export function noticeGap(state: WorkState, subtask: number): void {
  const { topics, linked } = state.plan.subtasks[subtask];
  const owner = state.ownerS[subtask];
  const hour = state.workedS[subtask];
  if (chance(state, purposes.gap, subtask, owner, hour) >= state.tier.gaps) return;
  const gapSize = chance(state, purposes.depth, subtask, owner, hour) < state.tier.deep ? 2 : 1;
  const gap = state.gapS[subtask];
  if (gap.length >= gapSize) return;
  const unknown = topics.filter((topic) => !state.explainedS[subtask].has(topic) && !gap.includes(topic));
  if (unknown.length === 0) return;
  gap.push(...unknown.slice(0, gapSize - gap.length));
  state.triedS[subtask] = [];
  if (linked.length === 0 || chance(state, purposes.share, subtask, owner, hour) >= state.tier.shared) return;
  // Whoever understands more does not share it.
  const most = state.alignmentS[subtask];
  const sharers = linked.filter(
    (other) => state.doneAtS[other] < 0 && state.ownerS[other] !== owner && state.alignmentS[other] <= most,
  );
  state.sharedS[subtask] = sharers.slice(0, 2);
}
