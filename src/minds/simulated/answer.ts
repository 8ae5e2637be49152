import { hash32, mix32 } from "../../base/fnv.ts";
import type { Channel, Guidance } from "../../contracts/workplace/message.ts";
import type { MindContext } from "../../contracts/workplace/mind.ts";
import type { Traits } from "./traits.ts";

/** What is asked of a mind: some topics of a subtask, or what its requirements mean. */
export interface Asked {
  readonly about: number;
  readonly topics: readonly string[];
  readonly channel: Channel;
  readonly isUnclear: boolean;
}

/** Words of an answer by channel, and how much clearer it is where there is room for it [ours]. */
const words: Readonly<Record<Channel, number>> = { chat: 25, email: 120, meeting: 200 };
const clearer: Readonly<Record<Channel, number>> = { chat: 1, email: 1.25, meeting: 1.15 };
/** Topics there is room for [ours]: a chat is for quick questions (C2C, section 3.3.3). */
const room: Readonly<Record<Channel, number>> = { chat: 1, email: 8, meeting: 8 };
/** Chance that somebody knows a topic it has no skill for, and that the manager knows what it meant itself. */
const unskilledShare = 0.25;
const ownMeaning = 0.95;

/** What a member knows of the topics, said as clearly as it can. The same question gets the same answer. */
export function answerWith(
  context: MindContext,
  traits: Traits,
  { about, topics, channel, isUnclear }: Asked,
): Guidance {
  const match = context.isManager ? 1 : context.matchOf(context.agent, about) / 1000;
  const asManager = isUnclear && context.isManager ? ownMeaning : 0;
  const knows = Math.max(asManager, traits.knowledge * (unskilledShare + (1 - unskilledShare) * match));
  return {
    covers: topics.filter((topic) => mix32(hash32(topic) ^ traits.salt) / 4294967296 < knows).slice(0, room[channel]),
    clarity: Math.min(1000, Math.round(traits.clarity * clearer[channel])),
    words: words[channel],
  };
}
