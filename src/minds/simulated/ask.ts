import type { Channel, RequestType } from "../../contracts/workplace/message.ts";
import type { Intention, MindContext, SubtaskView, Teammate } from "../../contracts/workplace/mind.ts";
import { unitsPerHour } from "../../contracts/workplace/project.ts";

/** What an answer is expected to be worth before anybody has given one, in thousandths of AF: the published means. */
const expectedAnswer = 150;
const expectedMeeting = 270;
/** By how many answers' worth that is believed. */
const belief = 2;
/** How much more an email is expected to bring than a chat, as there is room for detail; and the steps until it does. */
const emailFactor = 1.25;
const chatSteps = 2;
const emailSteps = 5;
const meetingSteps = 5;
/** Steps of a meeting for each of its members, and of its invitation. */
const meetingLength = 2;
/** Expected of an answer by somebody without any of the skills, as a share. */
const unskilledShare = 0.4;
/** Words of a request. */
const chatWords = 25;
const emailWords = 120;

/** A way to ask, with what it would save in steps and take from others. */
interface Option {
  readonly type: RequestType;
  readonly channel: Channel;
  readonly to: readonly Teammate[];
  readonly expected: number;
  readonly wait: number;
  /** Steps it takes, one's own and those of others, at their rates against one's own. */
  readonly cost: number;
}

/**
 * Whether and how to ask about a subtask: of all ways those are weighed that somebody may be asked by, and the best is taken
 * where it saves more than it costs. A mind that talks freely asks whenever there is a gap, whatever it costs.
 */
export function askAbout(context: MindContext, subtask: SubtaskView): Intention | undefined {
  const { gap, isUnclear, id, alignment, ceiling, left } = subtask;
  const isFree = context.manner === "freely";
  if (gap.length === 0 && !isUnclear && !isFree) return undefined;
  if (alignment >= ceiling || context.open.some(({ message }) => message.about === id)) return undefined;
  let best: Option | undefined;
  let bestGain = isFree ? -Infinity : 0;
  for (const option of listOptions(context, subtask)) {
    const gain = savedSteps(left, alignment, ceiling, option.expected, option.wait) - option.cost;
    if (gain > bestGain) [best, bestGain] = [option, gain];
  }
  if (best === undefined) return undefined;
  const topics = gap.length > 0 ? gap : subtask.topics.slice(0, 2);
  const saved = savedSteps(left, alignment, ceiling, best.expected, best.wait);
  return {
    kind: "communicate",
    type: best.type,
    to: best.to.map(({ agent }) => agent),
    channel: best.channel,
    about: id,
    topics,
    words: best.channel === "chat" ? chatWords : emailWords,
    reason: explain(best, subtask, saved),
  };
}

/** "asked B on auth by chat: 6.0 h left at AF .30, expected 2.1 h saved, against one step each". */
function explain({ type, channel, to, cost }: Option, { id, left, alignment }: SubtaskView, saved: number): string {
  const who = to.map(({ member }) => member.name).join(", ");
  const what = { help_request: "asks", need_clarification: "asks what is meant of", meeting_invite: "invites" }[type];
  const at = `.${String(alignment / 10)
    .slice(0, 2)
    .padStart(2, "0")}`;
  return `${what} ${who} on subtask ${id} by ${channel}: ${(left / unitsPerHour).toFixed(1)} h left at AF ${at}, expected ${(saved / 4).toFixed(1)} h saved, against ${cost.toFixed(1)} steps`;
}

/**
 * Steps saved where AF rises by Δ̂ after `wait` steps of work at the present one: left/AF − left/min(ceiling, AF + Δ̂), less
 * what is worked until then.
 */
function savedSteps(left: number, alignment: number, ceiling: number, expected: number, wait: number): number {
  const later = Math.max(0, left - wait * alignment);
  return later / alignment - later / Math.min(ceiling, alignment + expected);
}

function* listOptions(context: MindContext, subtask: SubtaskView): Generator<Option> {
  const { gap, isUnclear, alignment, id } = subtask;
  const rateOf = ({ rate, isManager }: Teammate): number => (isManager ? 0 : rate / alignment);
  if (isUnclear && gap.length === 0) {
    if (context.mayAskAgent(0)) {
      const to = [context.teammate(0)];
      yield { type: "need_clarification", channel: "chat", to, expected: expectedAnswer, wait: chatSteps, cost: 1 };
    }
    return;
  }
  for (const mate of context.teammatesFor(id)) {
    if (!context.mayAskAgent(mate.agent) || subtask.tried.includes(mate.agent)) continue;
    const expected = expectedFrom(context, mate, id);
    // Whoever has unanswered requests answers later.
    const queue = mate.unanswered;
    const cost = 1 + rateOf(mate);
    yield {
      type: "help_request",
      channel: "chat",
      to: [mate],
      expected: expected / Math.max(1, gap.length),
      wait: chatSteps + queue,
      cost,
    };
    yield {
      type: "help_request",
      channel: "email",
      to: [mate],
      expected: expected * emailFactor,
      wait: emailSteps + queue,
      cost,
    };
  }
  const sharers = subtask.sharers.filter((agent) => context.mayAskAgent(agent)).map(context.teammate);
  if (sharers.length === 0) return;
  // Those who share the gap lose as many steps, and gain about as much.
  const cost = 1 / (1 + sharers.length) + meetingLength;
  yield {
    type: "meeting_invite",
    channel: "meeting",
    to: sharers,
    expected: expectedMeeting,
    wait: meetingSteps,
    cost,
  };
}

/** What an answer of a teammate is expected to bring: by its skills, and by what it has brought so far. */
function expectedFrom({ matchOf }: MindContext, { agent, answers, gained }: Teammate, subtask: number): number {
  const match = matchOf(agent, subtask) / 1000;
  const bySkill = expectedAnswer * (unskilledShare + (1 - unskilledShare) * match) * 1.25;
  return (belief * bySkill + gained) / (belief + answers);
}
