import type { Message, RequestType } from "../../contracts/workplace/message.ts";
import { add, learn, matchOf } from "./alignment.ts";
import { readingMinutes } from "./costs.ts";
import { judge } from "./outside.ts";
import type { WorkState } from "./state.ts";

/**
 * Puts everything sent in the last step where it belongs (C2C, section 3.1: forward-only delivery): requests into the mail,
 * answers into understanding. Reading costs minutes in the ledger and no step.
 */
export async function deliver(state: WorkState): Promise<void> {
  const arriving = state.buffer;
  state.buffer = [];
  for (const message of arriving) {
    state.minutes += readingMinutes(message.channel, message.words, state.settings.costs);
    if (message.type === "reply") await understand(state, message);
    else if (message.type === "help_request" || message.type === "need_clarification")
      state.mailN[message.to].push(message);
  }
}

async function understand(state: WorkState, reply: Message): Promise<void> {
  const { about, channel, topics, from: teacher, to: learner, guidance, thread, sentAt } = reply;
  const open = state.openN[learner];
  const request = open.find(({ message }) => message.thread === thread);
  if (request === undefined || guidance === undefined) return;
  open.splice(open.indexOf(request), 1);
  const { type, sentAt: askedAt, text } = request.message;
  const response = state.responses[channel];
  response.count++;
  response.sum += sentAt + 1 - askedAt;
  if (state.ownerS[about] !== learner) return;
  const delta = await judge(state, learner, about, {
    tier: state.project.tier,
    channel,
    type: type as RequestType,
    topics,
    ...(text === undefined ? {} : { text }),
    guidance,
    match: type === "need_clarification" && teacher === 0 ? 1000 : matchOf(state, teacher, about),
    alignment: state.alignmentS[about],
  });
  const lesson = { learner, teacher, about, type: type as RequestType, channel, topics };
  add(state.gains[lesson.type], learn(state, lesson, guidance, delta));
}
