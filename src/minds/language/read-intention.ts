import type { z } from "zod";
import { cleanLine, cutText } from "../../base/quote-text.ts";
import type { Intention } from "../../contracts/workplace/mind.ts";
import type { Reading } from "./ask.ts";
import { decision, describeIssues } from "./forms.ts";
import { longestText, readGuidance } from "./read-guidance.ts";
import { canAskAbout, findTopic, type Scene } from "./scene.ts";
import { countWords } from "./words.ts";

type Decision = z.infer<typeof decision>;
/** The most topics of a message [ours]. */
const mostTopics = 8;

type RequestAction = "help_request" | "need_clarification" | "meeting_invite" | "progress_update";

/**
 * A model's decision as an intention that can be carried out in this scene: its subtask, addressees and message are among
 * those it was shown. Texts are cut to 2,000 characters and counted, the reason to one line of 200.
 */
export function readIntention(value: unknown, scene: Scene): Reading<Intention> {
  const read = decision.safeParse(value);
  if (!read.success) return { problem: describeIssues(read.error) };
  const { data } = read;
  const reason = cleanLine(data.reason ?? "") || "the model gave no reason";
  switch (data.action) {
    case "wait":
      return { value: { kind: "wait", reason } };
    case "work":
      return readWork(data, scene, reason);
    case "reply":
      return readAnswer(data, scene, reason);
    case "progress_report":
      return readMessage(data, "progress_update", scene, reason);
    default:
      return readMessage(data, data.action, scene, reason);
  }
}

function readWork({ subtask }: Decision, { subtasks }: Scene, reason: string): Reading<Intention> {
  const view = subtasks.find(({ id }) => id === subtask);
  if (view === undefined) return { problem: `you have no subtask ${subtask ?? "without a number"}` };
  if (!view.isReady) return { problem: `subtask ${view.id} still waits for others` };
  return { value: { kind: "work", subtask: view.id, reason } };
}

function readAnswer({ message, text }: Decision, { inbox }: Scene, reason: string): Reading<Intention> {
  const asked = inbox.find(({ id }) => id === message);
  if (asked === undefined) return { problem: `you have no message ${message ?? "without a number"} to answer` };
  if (!text?.trim()) return { problem: `"text" is empty, so it answers nothing` };
  return { value: { kind: "reply", message: asked.id, guidance: readGuidance(text, asked.topics), reason } };
}

function readMessage(said: Decision, type: RequestAction, scene: Scene, reason: string): Reading<Intention> {
  const { subtasks, askable, context } = scene;
  if (!context.mayAsk) return { problem: "you cannot begin a conversation in this step" };
  const view = subtasks.find(({ id }) => id === said.subtask);
  const about = view?.id ?? (type === "progress_update" && said.subtask === context.milestone ? said.subtask : null);
  if (about === null) return { problem: `${type} is not possible about subtask ${said.subtask ?? "without a number"}` };
  if (type !== "progress_update" && !canAskAbout(scene, about)) return { problem: describeClosed(scene, about) };
  const to = [...new Set(said.to ?? [])];
  if (to.length === 0) return { problem: `"to" names nobody` };
  if (to.includes(context.agent)) return { problem: `"to" names yourself` };
  const stranger = to.find((agent) => !askable.includes(agent));
  if (stranger !== undefined) return { problem: `you may not turn to agent ${stranger} in this step` };
  if (type !== "meeting_invite" && to.length > 1)
    return { problem: `"to" names more than one, and this is no meeting` };
  if ((type === "help_request" || type === "need_clarification") && view?.tried.includes(to[0]))
    return { problem: `agent ${to[0]} has told you all it knows about subtask ${about}` };
  const channel = type === "meeting_invite" ? "meeting" : said.channel;
  if (!channel || (channel === "meeting" && type !== "meeting_invite"))
    return { problem: `"channel" of a ${type} is "chat" or "email"` };
  const known = view?.topics ?? [];
  const named = (said.topics ?? []).map((topic) => findTopic(topic, known));
  // Nothing can be checked of an update: it claims to explain nothing.
  if (type !== "progress_update" && named.includes(undefined))
    return { problem: `"topics" names what is no topic of subtask ${about}` };
  const topics = [...new Set(named.filter((topic) => topic !== undefined))];
  if (!said.text?.trim()) return { problem: `"text" is empty` };
  const text = cutText(said.text.trim(), longestText);
  const words = countWords(text);
  const wanted = topics.length > 0 || view === undefined || type === "progress_update" ? topics : defaultTopics(view);
  const sent = wanted.slice(0, mostTopics);
  return { value: { kind: "communicate", type, to, channel, about, topics: sent, words, text, reason } };
}

const describeClosed = ({ context }: Scene, about: number): string =>
  context.manner === "report"
    ? "your team talks only to report"
    : `you still wait for an answer about subtask ${about}`;

/** Whoever asks without naming a topic asks for what it knows it lacks, else for everything. */
const defaultTopics = ({ gap, topics }: { gap: readonly string[]; topics: readonly string[] }): readonly string[] =>
  gap.length > 0 ? gap : topics;
