import { normalizeText } from "../../base/normalize-text.ts";
import { cleanText } from "../../base/quote-text.ts";
import type { Message } from "../../contracts/workplace/message.ts";
import type { MindContext, OpenRequest, SubtaskView, Teammate } from "../../contracts/workplace/mind.ts";

/** The most of each that a prompt shows [ours]: what is not shown cannot be chosen. */
const most = { subtasks: 12, inbox: 8, open: 8, team: 16 };

/** The part of a context that a model is shown, and that its reply is checked against. */
export interface Scene {
  readonly context: MindContext;
  readonly subtasks: readonly SubtaskView[];
  readonly inbox: readonly Message[];
  readonly open: readonly OpenRequest[];
  /** Who it may have to do with: helpers for its subtasks first, then the others they are linked with. */
  readonly team: readonly Teammate[];
  /** Those of them it may turn to in this step; empty where it may not begin a conversation. */
  readonly askable: readonly number[];
}

export function lookAround(context: MindContext): Scene {
  const { agent, milestone, mayAsk } = context;
  const subtasks = context.subtasks.slice(0, most.subtasks);
  const ids = subtasks.map(({ id }) => id);
  const helpers = [...ids, ...(milestone === null ? [] : [milestone])].flatMap((id) =>
    context.teammatesFor(id).map((teammate) => teammate.agent),
  );
  const others = subtasks.flatMap(({ sharers, linked }) => [...sharers, ...linked]);
  const agents = [...new Set([...helpers, ...others])].filter((other) => other !== agent).slice(0, most.team);
  return {
    context,
    subtasks,
    inbox: context.inbox.slice(0, most.inbox),
    open: context.open.slice(0, most.open),
    team: agents.map((other) => context.teammate(other)),
    askable: mayAsk ? agents.filter((other) => context.mayAskAgent(other)) : [],
  };
}

/** Whether it may ask about a subtask at all: its team is to do more than report, and it is not waiting for an answer. */
export const canAskAbout = ({ context }: Scene, subtask: number): boolean =>
  context.manner !== "report" && context.open.every(({ message }) => message.about !== subtask);

/** The name of a topic, a skill or a thing inside a sentence of ours: letters, digits and a few marks, on one line. */
export const nameOf = (name: string): string =>
  [
    ...cleanText(name)
      .replace(/[^\p{L}\p{M}\p{N}'’.,&/+#-]+/gu, " ")
      .trim(),
  ]
    .slice(0, 100)
    .join("")
    .trim() || "unnamed";

/** The one of the known topics that is meant, whatever its case, spacing and brackets. */
export function findTopic(named: string, known: readonly string[]): string | undefined {
  const key = normalizeText(nameOf(named));
  return known.find((topic) => normalizeText(nameOf(topic)) === key);
}
