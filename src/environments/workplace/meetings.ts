import type { Guidance } from "../../contracts/workplace/message.ts";
import type { MindContext } from "../../contracts/workplace/mind.ts";
import { occupy } from "./act.ts";
import { add, learn, matchOf } from "./alignment.ts";
import { meetingMinutes, stepsOf } from "./costs.ts";
import { contribute, judge } from "./outside.ts";
import { isDone, isFree, log, type Meeting, type WorkState } from "./state.ts";

/*
 * A meeting [ours]: invitation at t; at t+1 invitees who are free accept; it starts at the first step from t+2 on in which all
 * who accepted are free, else it is cancelled, as it is when its subtask is done by then; understanding rises at its end.
 */

/** Moves every meeting on, at the beginning of a step. */
export async function moveMeetings(state: WorkState, seats: readonly MindContext[]): Promise<void> {
  state.meetings = state.meetings.filter(({ isOver }) => !isOver);
  for (const meeting of state.meetings) {
    const age = state.step - meeting.invitation.sentAt;
    if (meeting.endsAt >= 0) {
      if (meeting.endsAt === state.step) await end(state, meeting, seats);
    } else if (isDone(state, meeting.invitation.about)) {
      cancel(state, meeting, "what it was about is done");
    } else if (meeting.accepted === null) {
      if (age >= 1) accept(state, meeting);
    } else if (age >= 2) startOrWait(state, meeting, age);
  }
}

function accept(state: WorkState, meeting: Meeting): void {
  const organiser = meeting.invitation.from;
  const willing = meeting.invited.filter((agent) => isFree(state, agent));
  if (willing.length === 0) {
    cancel(state, meeting, "nobody who was invited was free to accept");
    return;
  }
  meeting.accepted = [organiser, ...willing];
  tell(state, meeting, "accepted");
}

function startOrWait(state: WorkState, meeting: Meeting, age: number): void {
  const members = meeting.accepted!;
  const busy = members.find((agent) => !isFree(state, agent));
  if (busy !== undefined) {
    if (age >= 2 + state.settings.costs.meetingPatience) {
      cancel(state, meeting, `agent ${busy} was not free within ${state.settings.costs.meetingPatience} steps`);
    }
    return;
  }
  const minutes = meetingMinutes(members.length, state.settings.costs);
  const steps = stepsOf(minutes);
  for (const agent of members) occupy(state, agent, "meeting", steps);
  state.minutes += minutes * members.length;
  meeting.endsAt = state.step + steps;
  state.held++;
  const response = state.responses.meeting;
  response.count++;
  response.sum += age;
  tell(state, meeting, "started");
}

/** Everybody tells what it knows; the organiser learns about its subtask, the others about their own that share the gap. */
async function end(state: WorkState, meeting: Meeting, seats: readonly MindContext[]): Promise<void> {
  const { about, topics, from: organiser, text } = meeting.invitation;
  const members = meeting.accepted!;
  close(state, meeting);
  tell(state, meeting, "ended");
  const shared = state.sharedS[about].filter((s) => members.includes(state.ownerS[s]) && state.doneAtS[s] < 0);
  const contributions: { readonly agent: number; readonly guidance: Guidance }[] = [];
  for (const agent of members) {
    if (agent === organiser) continue;
    contributions.push({ agent, guidance: await contribute(state, seats[agent], about, topics) });
  }
  if (contributions.length === 0) return;
  const best = contributions.reduce((a, b) => (b.guidance.clarity > a.guidance.clarity ? b : a));
  const misled = contributions.find(({ guidance }) => guidance.effect !== undefined);
  const told: Guidance = {
    covers: [...new Set(contributions.flatMap(({ guidance }) => guidance.covers))],
    clarity: best.guidance.clarity,
    words: contributions.reduce((sum, { guidance }) => sum + guidance.words, 0),
  };
  const guidance = misled === undefined ? told : { ...told, effect: misled.guidance.effect };
  const match = Math.max(...contributions.map(({ agent }) => matchOf(state, agent, about)));
  const delta = await judge(state, organiser, about, {
    tier: state.project.tier,
    channel: "meeting",
    type: "meeting_invite",
    topics,
    ...(text === undefined ? {} : { text }),
    guidance,
    match,
    alignment: state.alignmentS[about],
  });
  const teacher = (misled ?? best).agent;
  const lesson = { type: "meeting_invite", channel: "meeting", topics } as const;
  if (state.ownerS[about] === organiser)
    add(state.gains.meeting_invite, learn(state, { ...lesson, learner: organiser, teacher, about }, guidance, delta));
  for (const s of [about, ...shared]) state.sharedS[s] = [];
  for (const s of shared) {
    const learner = state.ownerS[s];
    // Nobody is taught, or misled, by itself.
    const [from, heard] = learner === teacher ? [organiser, told] : [teacher, guidance];
    add(state.gains.meeting_invite, learn(state, { ...lesson, learner, teacher: from, about: s }, heard, delta));
  }
}

function cancel(state: WorkState, meeting: Meeting, reason: string): void {
  close(state, meeting);
  state.cancelled++;
  tell(state, meeting, "cancelled", reason);
}

function close(state: WorkState, meeting: Meeting): void {
  meeting.isOver = true;
  const { from, id } = meeting.invitation;
  state.openN[from] = state.openN[from].filter(({ message }) => message.id !== id);
}

function tell(
  state: WorkState,
  { invitation, invited, accepted }: Meeting,
  what: "accepted" | "started" | "ended" | "cancelled",
  reason?: string,
): void {
  const members = accepted ?? [invitation.from, ...invited];
  log(state, {
    step: state.step,
    kind: "meeting",
    meeting: invitation.id,
    what,
    members,
    ...(reason === undefined ? {} : { reason }),
  });
}
