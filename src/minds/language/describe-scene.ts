import { cleanName, cutText, quoteText } from "../../base/quote-text.ts";
import type { Message } from "../../contracts/workplace/message.ts";
import type { MindContext, SubtaskView, Teammate } from "../../contracts/workplace/mind.ts";
import { unitsPerHour } from "../../contracts/workplace/project.ts";
import { longestText } from "./read-guidance.ts";
import { nameOf, type Scene } from "./scene.ts";

/** Thousandths as a share: `0.30`. */
export const share = (thousandths: number): string => (thousandths / 1000).toFixed(2);

const hours = (units: number): string => `${(units / unitsPerHour).toFixed(1)} h`;
/** Names in a sentence of ours; of very many the first ones. */
export const list = (names: readonly string[]): string => names.slice(0, 40).map(nameOf).join("; ");

const agents = (numbers: readonly number[]): string => `agent${numbers.length > 1 ? "s" : ""} ${numbers.join(", ")}`;

/** What the agent knows, as the user message of a decision. */
export function describeScene(scene: Scene): string {
  const { context, subtasks, inbox, open, team, askable } = scene;
  const { step, limit, milestone } = context;
  const shown = new Set(team.map(({ agent }) => agent));
  const section = (title: string, entries: readonly string[]): string =>
    entries.length === 0 ? "" : `${title}\n${entries.join("\n")}`;
  return [
    `Step ${step} of ${limit}: ${limit - step} are left.`,
    section(
      "Your subtasks, in the order you would do them:",
      subtasks.map((subtask) => describeSubtask(subtask, context, shown)),
    ) || "You have no subtasks to do.",
    milestone === null
      ? ""
      : `You have finished subtask ${milestone}, which others wait for, and have not told anybody.`,
    section("Teammates:", team.map(describeTeammate)),
    askable.length > 0
      ? `You may turn to ${agents(askable)} in this step.`
      : "You cannot begin a conversation in this step.",
    section(
      "Messages that wait for your answer:",
      inbox.map((message) => describeMessage(message, context)),
    ),
    section(
      "Your own requests that nobody has answered yet:",
      open.map(({ message: { id, to, type, channel, about }, due }) => {
        return `- message ${id} to agent ${to}: ${type} by ${channel} about subtask ${about}, an answer is due by step ${due}`;
      }),
    ),
  ]
    .filter(Boolean)
    .join("\n\n");
}

function describeSubtask(subtask: SubtaskView, context: MindContext, shown: ReadonlySet<number>): string {
  const { id, title, skills, topics, effort, left, alignment, ceiling, isReady, isUnclear, gap, tried } = subtask;
  const seen = (numbers: readonly number[]) => numbers.filter((agent) => shown.has(agent));
  const [sharers, linked] = [seen(subtask.sharers), seen(subtask.linked)];
  const helpers = context.teammatesFor(id).filter(({ agent }) => shown.has(agent));
  const matches = helpers.map(({ agent }) => `agent ${agent} ${share(context.matchOf(agent, id))}`);
  return [
    `- subtask ${id}, ${nameOf(title)}: ${isReady ? "ready" : "waits for other subtasks"}; ${hours(left)} of ${hours(effort)} left; you understand ${share(alignment)} of it, and talk can raise that to ${share(ceiling)}`,
    `  skills: ${list(skills)}; you have ${share(context.matchOf(context.agent, id))} of them`,
    `  topics: ${list(topics)}`,
    gap.length > 0 && `  you do not understand: ${list(gap)}`,
    isUnclear && "  its requirements are unclear",
    tried.length > 0 && `  no use in asking ${agents(tried)} again`,
    sharers.length > 0 && `  the same gap has ${agents(sharers)}`,
    linked.length > 0 && `  linked with the work of ${agents(linked)}`,
    matches.length > 0 && `  share of its skills: ${matches.join(", ")}`,
  ]
    .filter(Boolean)
    .join("\n");
}

function describeTeammate({ agent, member, isManager, isFree, rate, unanswered, answers, gained }: Teammate): string {
  const history =
    answers === 0 ? "has not answered you yet" : `answered you ${answers} times, which taught you ${share(gained)}`;
  return `- agent ${agent} (${cleanName(member.name)})${isManager ? ", the manager" : ""}: ${list(member.skills)}; ${isFree ? "free" : "busy"}, works at ${share(rate)}, ${unanswered} requests waiting; ${history}`;
}

function describeMessage(message: Message, context: MindContext): string {
  const { id, type, channel, from, about, topics, sentAt, text } = message;
  const name = cleanName(context.teammate(from).member.name);
  const heading = `- message ${id} from agent ${from} (${name}): ${type} by ${channel} about subtask ${about}, sent in step ${sentAt}, in time until step ${context.dueOf(message)}; you have ${share(context.matchOf(context.agent, about))} of its skills`;
  const wanted = topics.length > 0 ? `\n  asks about: ${list(topics)}` : "";
  return `${heading}${wanted}${text?.trim() ? `\n${quoteText(cutText(text.trim(), longestText))}` : ""}`;
}
