import type { Intention, Mind, MindContext, SubtaskView } from "../../contracts/workplace/mind.ts";
import { answerWith } from "./answer.ts";
import { askAbout } from "./ask.ts";
import type { Traits } from "./traits.ts";

/**
 * A simulated member (ours): it notices what it does not understand, and weighs what an answer would save against the steps
 * it takes from everybody (C2C, section 3.3, leaves this weighing to a language model). Every choice says why.
 * @param traits what it is really able to; hidden from everybody
 */
export function simulatedMind(traits: Traits): Mind {
  return {
    decide: (context) => reply(context, traits) ?? report(context) ?? talk(context) ?? work(context) ?? wait(context),
    contribute: (context, about, topics) =>
      answerWith(context, traits, { about, topics, channel: "meeting", isUnclear: false }),
  };
}

/** Answers what is due; and anything, when there is nothing else to do. */
function reply(context: MindContext, traits: Traits): Intention | undefined {
  const [asked] = context.inbox;
  if (asked === undefined) return undefined;
  const due = context.dueOf(asked);
  const isIdle = !context.subtasks.some(({ isReady }) => isReady);
  if (!isIdle && !context.isAtHand && context.step < due) return undefined;
  const busy = context.step < due ? "as it is to be at hand" : `in the last step of its ${asked.channel} window`;
  const why = isIdle ? "and has nothing else to do" : busy;
  return {
    kind: "reply",
    message: asked.id,
    guidance: answerWith(context, traits, {
      about: asked.about,
      topics: asked.topics,
      channel: asked.channel,
      isUnclear: asked.type === "need_clarification",
    }),
    reason: `answers agent ${asked.from} on subtask ${asked.about}, ${why}`,
  };
}

/** Words of a status report. */
const reportWords = 30;

/** At fixed steps everybody reports; else a milestone is told when telling it costs no work. */
function report(context: MindContext): Intention | undefined {
  const { isManager, manner, mayAsk, milestone, subtasks, step } = context;
  if (isManager || !mayAsk || !context.mayAskAgent(0)) return undefined;
  const isScheduled = manner === "report";
  const isFreeToTell = milestone !== null && !subtasks.some(({ isReady }) => isReady);
  if (!isScheduled && !isFreeToTell) return undefined;
  const about = milestone ?? subtasks[0]?.id;
  if (about === undefined) return undefined;
  return {
    kind: "communicate",
    type: "progress_update",
    to: [0],
    channel: "chat",
    about,
    topics: [],
    words: reportWords,
    reason: isScheduled
      ? `reports at step ${step}, as planned`
      : `tells that subtask ${about} is done, for those who wait for it`,
  };
}

function talk(context: MindContext): Intention | undefined {
  if (context.isManager || !context.mayAsk || context.manner === "report") return undefined;
  const subtask = currentOf(context);
  return subtask === undefined ? undefined : askAbout(context, subtask);
}

function work(context: MindContext): Intention | undefined {
  const subtask = context.subtasks.find(({ isReady }) => isReady);
  if (subtask === undefined) return undefined;
  return { kind: "work", subtask: subtask.id, reason: "works on the first of its subtasks that can go on" };
}

function wait({ isManager, subtasks }: MindContext): Intention {
  if (isManager) return { kind: "wait", reason: "has no request to answer" };
  return {
    kind: "wait",
    reason: subtasks.length === 0 ? "has nothing left to do" : `waits for what subtask ${subtasks[0].id} needs`,
  };
}

/** What it works on, or would. */
const currentOf = ({ subtasks }: MindContext): SubtaskView | undefined =>
  subtasks.find(({ isReady }) => isReady) ?? subtasks[0];
