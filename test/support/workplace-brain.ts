import { shortHash } from "../../src/base/hash.ts";
import { canonicalJson } from "../../src/base/json.ts";
import type { ChatBody } from "./model-server.ts";

/**
 * A model that works in a workplace: it answers what waits, asks about what it does not understand, and works otherwise. It
 * knows only what its prompt says. To the same question it says the same.
 * @param oneIn of so many replies one, on average, is no JSON at all; 0: none
 */
export const workplaceBrain =
  (oneIn = 0) =>
  (body: ChatBody): string => {
    const key = Number.parseInt(shortHash(canonicalJson(body.messages), 8), 16);
    if (oneIn > 0 && key % oneIn === 0) return "I would rather talk about the weather.";
    const [system, user] = body.messages.map(({ content }) => content);
    if (system.includes('"delta"')) return JSON.stringify({ reason: "it meets the gap", delta: 0.2 });
    if (user.startsWith("You are in a meeting")) return JSON.stringify({ text: explain(user) });
    return JSON.stringify(decide(user));
  };

const explain = (text: string): string => {
  const topics = /(?:asks about|want to understand): (.*?)\.?$/m.exec(text)?.[1] ?? "it";
  return `Begin with the tests. Here is how it works, step by step: ${topics}.`;
};

function decide(user: string): Record<string, unknown> {
  const said = { subtask: null, to: [], channel: null, topics: [], message: null, text: "" };
  const asked = /^- message (\d+) from agent (?:.*\n(?:(?!- message).*\n?)*)/m.exec(user);
  if (asked !== null)
    return { ...said, reason: "it waits", action: "reply", message: +asked[1], text: explain(asked[0]) };
  const may = /You may turn to agents? (?:\d+, )*(\d+) in this step/.exec(user);
  const gap = /^- subtask (\d+), .*: ready;(?:.*\n) (?:.*\n)*? {2}you do not understand: (.*)$/m.exec(user);
  if (may !== null && gap !== null && /now: .*help_request/.test(user)) {
    const [topic] = gap[2].split("; ");
    const request = { action: "help_request", subtask: +gap[1], to: [+may[1]], channel: "chat", topics: [topic] };
    return { ...said, ...request, reason: "it is worth the step", text: `How does this work: ${topic}?` };
  }
  const ready = /^- subtask (\d+), .*: ready;/m.exec(user);
  if (ready === null) return { ...said, reason: "nothing is ready", action: "wait" };
  return { ...said, reason: "it goes on", action: "work", subtask: +ready[1] };
}
