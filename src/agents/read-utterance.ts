import { isRecord } from "../base/json.ts";
import { cutText } from "../base/quote-text.ts";
import { dropThoughts } from "../base/thoughts.ts";
import type { Utterance } from "../contracts/agent.ts";
import type { ChatReply } from "../contracts/language-model.ts";
import type { Question } from "../contracts/task.ts";
import { readReply } from "../tasks/read-reply.ts";

/** The most characters of an analysis that are kept. */
const longestAnalysis = 20_000;

/**
 * What an agent said, from what its model replied: the answer as the question's kind is read, and the analysis without
 * hidden thoughts. Of a reply in the form of `answerSchema` that is its field; one that is not, though it was asked for,
 * is free text.
 */
export function readUtterance(question: Question, reply: ChatReply, structured: boolean): Utterance {
  const { text, finish, refused, usage, cost } = reply;
  const { answer, status } = readReply(question, { text, finish, refused });
  const spoken = dropThoughts(text).trim();
  return {
    answer,
    status,
    text: cutText((structured ? readAnalysis(spoken) : undefined) ?? spoken, longestAnalysis),
    tokens: usage === null ? null : usage.prompt + usage.completion,
    cost,
    ...(finish !== "stop" && { finish }),
  };
}

function readAnalysis(text: string): string | undefined {
  try {
    const bare = text.trim().replace(/^```(?:json)?/, "");
    const value: unknown = JSON.parse(bare.endsWith("```") ? bare.slice(0, -3) : bare);
    return isRecord(value) && typeof value["analysis"] === "string" ? value["analysis"] : undefined;
  } catch {
    return undefined;
  }
}
