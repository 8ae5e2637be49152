import type { Intention, MindContext } from "../../contracts/workplace/mind.ts";
import { answer, occupy, send } from "./act.ts";
import { deliver } from "./deliver.ts";
import { moveMeetings } from "./meetings.ts";
import { choose } from "./outside.ts";
import { log, type WorkState } from "./state.ts";
import { complete, reassign, withdrawOverdue, work } from "./work.ts";

/**
 * Plays one step (C2C, section 3.1: the Sequential Action Framework). Everyone who is free chooses by what stood when the
 * step began; then all act, in order; then what is done is done. Nothing of the next step begins before.
 */
export async function advance(state: WorkState, seats: readonly MindContext[]): Promise<void> {
  await deliver(state);
  withdrawOverdue(state);
  await moveMeetings(state, seats);
  const intentions = await choose(state, seats);
  const finished: number[] = [];
  intentions.forEach((intention, agent) => {
    if (intention !== null) act(state, agent, intention, finished);
  });
  noteOccupancy(state);
  complete(state, finished);
  if (state.settings.reassign) reassign(state);
  state.step++;
}

function act(state: WorkState, agent: number, intention: Intention, finished: number[]): void {
  switch (intention.kind) {
    case "work":
      occupy(state, agent, "work");
      work(state, agent, intention.subtask, intention.reason, finished);
      break;
    case "wait":
      occupy(state, agent, "wait");
      log(state, { step: state.step, kind: "wait", agent, reason: intention.reason });
      break;
    case "communicate":
      if (intention.type === "progress_update") state.milestoneN[agent] = null;
      send(state, agent, intention);
      break;
    case "reply":
      answer(state, agent, intention);
  }
}

/** Bits of the last 16 steps. */
const recent = 0xffff;

function noteOccupancy(state: WorkState): void {
  state.busyWithN.forEach((how, agent) => {
    state.occupancy[how][agent]++;
    const talks = how === "work" || how === "wait" ? 0 : 1;
    state.recentTalkN[agent] = ((state.recentTalkN[agent] << 1) | talks) & recent;
  });
}
