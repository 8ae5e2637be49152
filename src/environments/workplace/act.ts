import type { Channel, Message, MessageType } from "../../contracts/workplace/message.ts";
import type { Intention } from "../../contracts/workplace/mind.ts";
import { answerDue, preparationMinutes, stepsOf, writingMinutes } from "./costs.ts";
import { log, type Occupation, type Thread, type WorkState } from "./state.ts";
import { countReply, openThread, threadOf } from "./threads.ts";

/** Notes what an agent does with its time: `steps` from now on, of which the first is this one. */
export function occupy(state: WorkState, agent: number, how: Occupation, steps = 1): void {
  state.busyUntilN[agent] = state.step + steps;
  state.busyWithN[agent] = how;
}

/** Sends what an agent wants to say; it arrives in the next step. */
export function send(state: WorkState, agent: number, intention: Extract<Intention, { kind: "communicate" }>): void {
  const { settings, step } = state;
  const { type, channel, to, about, topics, words, text, reason } = intention;
  const minutes =
    channel === "meeting"
      ? preparationMinutes(topics.length, settings.costs)
      : writingMinutes(channel, words, settings.costs);
  const isQuestion = type === "help_request" || type === "need_clarification";
  const [first, ...others] = to.map((receiver) => {
    const thread = isQuestion ? threadOf(state, about, agent, receiver) : undefined;
    const message = post(state, { type, channel, from: agent, to: receiver, about, topics, words, text, thread });
    if (isQuestion && thread === undefined) openThread(state, about, agent, receiver, message.id);
    return message;
  });
  if (type === "meeting_invite") {
    state.meetings.push({ invitation: first, invited: to, accepted: null, endsAt: -1, isOver: false });
    // One invitation, however many are invited.
    state.sent.meeting_invite -= others.length;
    state.channels.meeting -= others.length;
  }
  if (type !== "progress_update")
    state.openN[agent].push(Object.freeze({ message: first, due: answerDue(channel, step, settings.costs) }));
  state.minutes += minutes;
  occupy(state, agent, "communicate", stepsOf(minutes));
  log(state, {
    step,
    kind: "send",
    agent,
    message: first.id,
    type,
    channel,
    to,
    about,
    topics,
    words,
    minutes,
    ...(text === undefined ? {} : { text }),
    reason,
  });
}

/** Answers a request; the thread goes on by one. */
export function answer(state: WorkState, agent: number, intention: Extract<Intention, { kind: "reply" }>): void {
  const mail = state.mailN[agent];
  const asked = mail.find(({ id }) => id === intention.message)!;
  mail.splice(mail.indexOf(asked), 1);
  const { guidance, reason } = intention;
  const channel = asked.channel;
  const minutes = writingMinutes(channel, guidance.words, state.settings.costs);
  const { topics, about } = asked;
  countReply(state, about, asked.from, agent);
  const reply = post(state, {
    type: "reply",
    channel,
    from: agent,
    to: asked.from,
    about,
    topics,
    words: guidance.words,
    text: guidance.text,
    guidance,
    thread: { first: asked.thread, replies: asked.depth + 1 },
  });
  state.minutes += minutes;
  occupy(state, agent, "reply", stepsOf(minutes));
  const { words } = guidance;
  log(state, {
    step: state.step,
    kind: "send",
    agent,
    message: reply.id,
    type: "reply",
    channel,
    to: [asked.from],
    about,
    topics,
    words,
    minutes,
    answers: asked.id,
    guidance,
    reason,
  });
}

interface Post {
  readonly type: MessageType;
  readonly channel: Channel;
  readonly from: number;
  readonly to: number;
  readonly about: number;
  readonly topics: readonly string[];
  readonly words: number;
  readonly text?: string;
  readonly guidance?: Message["guidance"];
  readonly thread?: Pick<Thread, "first" | "replies">;
}

function post(state: WorkState, { thread, text, guidance, ...parts }: Post): Message {
  const id = state.nextMessage++;
  const message: Message = Object.freeze({
    ...parts,
    id,
    sentAt: state.step,
    thread: thread?.first ?? id,
    depth: thread?.replies ?? 0,
    ...(text === undefined ? {} : { text }),
    ...(guidance === undefined ? {} : { guidance }),
  });
  state.buffer.push(message);
  state.sent[message.type]++;
  state.channels[message.channel]++;
  const pair = message.from * state.agents + message.to;
  state.pairCounts.set(pair, (state.pairCounts.get(pair) ?? 0) + 1);
  return message;
}
