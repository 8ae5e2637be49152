import type { Guidance } from "../../contracts/workplace/message.ts";
import type { Intention } from "../../contracts/workplace/mind.ts";

/*
 * Minds are strangers, and so is whoever wrote a log. What they give is copied part by part: nothing else gets in, and
 * nothing that is taken changes afterwards.
 */

/** The most topics of a message, topics that an answer covers, and people of a meeting that are taken. */
const mostTopics = 8;
const mostCovered = 64;
const mostInvited = 32;
/** Characters of a topic, a reason and a text, at most; and words. */
const longestTopic = 300;
const longestReason = 2000;
const longestText = 20_000;
const mostWords = 10_000;

const types = ["help_request", "need_clarification", "meeting_invite", "progress_update"] as const;
const channels = ["chat", "email", "meeting"] as const;

/** A value that can be used, or in words why it cannot. */
export type Read<T> = { readonly value: T } | { readonly problem: string };

type Parts = Readonly<Record<string, unknown>>;

/** What was wanted, as far as its shape goes: whether it can be done is for `refuse` to say. */
export function readIntention(given: unknown): Read<Intention> {
  if (!isParts(given)) return { problem: `it wants ${show(given)}, which is no action` };
  const { kind, reason } = given;
  if (kind !== "work" && kind !== "wait" && kind !== "communicate" && kind !== "reply")
    return { problem: `it wants ${show(kind)}, which is no action` };
  if (!isText(reason, longestReason) || reason === "") return { problem: "it gives no reason, or too long a one" };
  switch (kind) {
    case "wait":
      return { value: { kind, reason } };
    case "work":
      return isIndex(given.subtask)
        ? { value: { kind, subtask: given.subtask, reason } }
        : { problem: `there is no subtask ${show(given.subtask)}` };
    case "communicate":
      return readMessage(given, reason);
    case "reply":
      return readReply(given, reason);
  }
}

function readMessage({ type, to, channel, about, topics, words, text }: Parts, reason: string): Read<Intention> {
  if (!isOneOf(types, type)) return { problem: `there is no message type ${show(type)}` };
  if (!isOneOf(channels, channel)) return { problem: `there is no channel ${show(channel)}` };
  if (!Array.isArray(to) || to.length === 0 || to.length > mostInvited)
    return { problem: "it names nobody, or too many" };
  const receivers = Array.from(to as unknown[]);
  if (!receivers.every(isIndex)) return { problem: `there is no agent ${show(receivers.find((a) => !isIndex(a)))}` };
  const asked = readTopics(topics, mostTopics);
  if (asked === undefined) return { problem: "its topics are no short list of texts" };
  if (!isSize(words)) return { problem: `it has ${show(words)} words` };
  if (!isIndex(about)) return { problem: `there is no subtask ${show(about)}` };
  if (text !== undefined && !isText(text, longestText)) return { problem: "its text is none, or too long" };
  const said = text === undefined ? {} : { text };
  return {
    value: {
      kind: "communicate",
      type,
      to: Object.freeze(receivers),
      channel,
      about,
      topics: asked,
      words,
      ...said,
      reason,
    },
  };
}

function readReply({ message, guidance }: Parts, reason: string): Read<Intention> {
  if (!isIndex(message)) return { problem: `there is no message ${show(message)} that it could answer` };
  const read = readGuidance(guidance);
  return "problem" in read ? read : { value: { kind: "reply", message, guidance: read.value, reason } };
}

/** What was told. */
export function readGuidance(given: unknown): Read<Guidance> {
  const { covers, clarity, words, text, effect }: Parts = isParts(given) ? given : {};
  const covered = readTopics(covers, mostCovered);
  if (covered === undefined) return { problem: "its answer covers no list of topics" };
  if (!(typeof clarity === "number" && clarity >= 0 && clarity <= 1000))
    return { problem: `its answer has the clarity ${show(clarity)}` };
  if (!isSize(words)) return { problem: `its answer has ${show(words)} words` };
  if (text !== undefined && !isText(text, longestText)) return { problem: "its answer's text is none, or too long" };
  if (effect !== undefined && !isEffect(effect)) return { problem: `its answer has the effect ${show(effect)}` };
  const value: Guidance = {
    covers: covered,
    clarity,
    words,
    ...(text === undefined ? {} : { text }),
    ...(effect === undefined ? {} : { effect }),
  };
  return { value: Object.freeze(value) };
}

function readTopics(given: unknown, most: number): readonly string[] | undefined {
  if (!Array.isArray(given) || given.length > most) return undefined;
  const topics = Array.from(given as unknown[]);
  return topics.every((topic) => isText(topic, longestTopic)) ? Object.freeze(topics as string[]) : undefined;
}

/** A stranger's value in a few words; never anything that it could do by being turned into text. */
function show(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.slice(0, 40));
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return value === null ? "null" : typeof value;
}

const isParts = (value: unknown): value is Parts => typeof value === "object" && value !== null;

const isText = (value: unknown, longest: number): value is string =>
  typeof value === "string" && value.length <= longest;

const isIndex = (value: unknown): value is number => Number.isInteger(value) && (value as number) >= 0;

const isSize = (value: unknown): value is number => isIndex(value) && value <= mostWords;

/** Thousandths of AF. */
const isEffect = (value: unknown): value is number => Number.isInteger(value) && Math.abs(value as number) <= 1000;

const isOneOf = <T extends string>(known: readonly T[], value: unknown): value is T => known.includes(value as T);
