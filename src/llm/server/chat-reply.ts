import { isRecord } from "../../base/json.ts";
import type { ChatReply, TokenUsage } from "../../contracts/language-model.ts";

/**
 * Reads the body of a chat completion. Texts that the server shows as hidden thoughts (`reasoning_content`, `reasoning`,
 * parts of type `thinking`) never become part of the text.
 *
 * @returns `undefined` where there is no choice to read
 */
export function readChatReply(body: Readonly<Record<string, unknown>>): ChatReply | undefined {
  const choice: unknown = Array.isArray(body["choices"]) ? body["choices"][0] : undefined;
  if (!isRecord(choice) || !isRecord(choice["message"]) || choice["error"] != null) return undefined;
  const { message } = choice;
  const refusal = textOf(message["refusal"]) || partsOf(message["content"], "refusal");
  const text = textOf(message["content"]) || refusal;
  const reasoning =
    textOf(message["reasoning_content"]) || textOf(message["reasoning"]) || partsOf(message["content"], "thinking");
  return {
    text,
    ...(reasoning !== "" && { reasoning }),
    finish: finishes.get(choice["finish_reason"]) ?? "other",
    refused: refusal !== "",
    usage: readUsage(body["usage"], text !== "" || reasoning !== ""),
    cost: null,
    cached: false,
  };
}

const finishes = new Map<unknown, ChatReply["finish"]>([
  ["stop", "stop"],
  ["end_turn", "stop"],
  ["eos", "stop"],
  ["length", "length"],
  ["max_tokens", "length"],
  ["content_filter", "filtered"],
]);

/** A text, or the text parts of a list of parts. */
function textOf(content: unknown): string {
  return typeof content === "string" ? content : partsOf(content, "text", "output_text");
}

/** The parts of some types; a part keeps its text under `text` or under its type, as text or as parts again. */
function partsOf(content: unknown, ...types: readonly string[]): string {
  if (!Array.isArray(content)) return "";
  return content
    .filter(isRecord)
    .filter(({ type }) => types.includes(String(type)))
    .map((part) => textOf(part["text"] ?? part[String(part["type"])]))
    .join("");
}

/** @returns `null` where a count is missing or cannot be: no prompt and no written reply has 0 tokens */
export function readUsage(usage: unknown, hasText: boolean): TokenUsage | null {
  if (!isRecord(usage)) return null;
  const { prompt_tokens: prompt, completion_tokens: completion } = usage;
  if (!isCount(prompt) || !isCount(completion) || prompt === 0 || (hasText && completion === 0)) return null;
  const cachedPrompt = detailOf(usage["prompt_tokens_details"], "cached_tokens");
  const reasoning = detailOf(usage["completion_tokens_details"], "reasoning_tokens");
  // Some servers count hidden thoughts beside the reply; their total gives them away.
  const beside = reasoning > 0 && usage["total_tokens"] === prompt + completion + reasoning;
  const whole = beside ? completion + reasoning : completion;
  return cachedPrompt > prompt || reasoning > whole ? null : { prompt, cachedPrompt, completion: whole, reasoning };
}

function detailOf(details: unknown, name: string): number {
  const count = isRecord(details) ? details[name] : undefined;
  return isCount(count) ? count : 0;
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
