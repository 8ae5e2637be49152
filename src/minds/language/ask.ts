import { ColloquyError } from "../../base/errors.ts";
import { parseJson } from "../../base/json.ts";
import { dropThoughts } from "../../base/thoughts.ts";
import type { ChatMessage, ChatReply, ChatRequest, UsedModel } from "../../contracts/language-model.ts";
import { writeRepair } from "./prompts.ts";
import type { Tally } from "./tally.ts";

/** A model as a mind or a judge uses it; `structured` is on by default, and the prompt says the form in words as well. */
export type AskedModel = UsedModel;

/** What was read, or what is wrong with it, in words for whoever wrote it. */
export type Reading<T> = { readonly value: T } | { readonly problem: string };

/** One question to a model that is to be answered in JSON. */
export interface Query<T> {
  readonly messages: readonly ChatMessage[];
  readonly form: NonNullable<ChatRequest["schema"]>;
  read(value: unknown): Reading<T>;
  /** Which draw an attempt (0, 1) is. */
  sample(attempt: number): number;
  readonly label: string;
  readonly signal?: AbortSignal;
}

/** Longer replies are not read. */
const longestRead = 20_000;

/**
 * Asks, and where the reply cannot be read asks once more, showing what was wrong. Everything is counted in the tally.
 * @throws ColloquyError as the model does: a call that fails is no reply
 */
export async function ask<T>(asked: AskedModel, query: Query<T>, tally: Tally): Promise<Reading<T>> {
  const attempt = async (messages: readonly ChatMessage[], number: number) => {
    const reply = await asked.model.complete(writeRequest(asked, query, messages, number), query.signal);
    const reading = readReply(reply, query);
    tally.count(reply, "problem" in reading);
    return { reply, reading };
  };
  const first = await attempt(query.messages, 0);
  if (!("problem" in first.reading)) return first.reading;
  const repair = writeRepair(query.messages, first.reply.text, first.reading.problem);
  return (await attempt(repair, 1)).reading;
}

function writeRequest<T>(
  { name, temperature, topP, maxTokens, structured = true, sendSeed = true, extra }: AskedModel,
  query: Query<T>,
  messages: readonly ChatMessage[],
  attempt: number,
): ChatRequest {
  const sample = query.sample(attempt);
  return {
    model: name,
    messages,
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { topP }),
    ...(maxTokens !== undefined && { maxTokens }),
    ...(sendSeed && { seed: sample }),
    ...(structured && { schema: query.form }),
    ...(extra !== undefined && { extra }),
    sample,
    label: attempt === 0 ? query.label : `${query.label}, second attempt`,
  };
}

function readReply<T>({ text, finish, refused }: ChatReply, { read }: Query<T>): Reading<T> {
  if (refused) return { problem: "it was a refusal" };
  if (finish === "filtered") return { problem: "it was held back by a filter" };
  if (text.length > longestRead) return { problem: `it was longer than ${longestRead} characters` };
  const spoken = dropThoughts(text).trim();
  const value = findJson(spoken);
  if (value !== undefined) return read(value);
  if (finish === "length") return { problem: "it was cut off at the limit of tokens; keep it shorter" };
  return { problem: spoken === "" ? "it was empty" : "it held no JSON object that can be read" };
}

/** The JSON of a reply: all of it, else a fenced block, else what stands between the first and the last brace. */
function findJson(text: string): unknown {
  const braced = text.slice(Math.max(0, text.indexOf("{")), text.lastIndexOf("}") + 1);
  for (const part of [text, findFenced(text), braced]) {
    if (part === "") continue;
    try {
      return parseJson(part, "the reply");
    } catch (error) {
      if (!(error instanceof ColloquyError)) throw error;
    }
  }
  return undefined;
}

/** What the first fenced block holds; linear in the text, whatever it is. */
function findFenced(text: string): string {
  const opening = /```(?:json)?[ \t]*\n/i.exec(text);
  if (opening === null) return "";
  const from = opening.index + opening[0].length;
  const to = text.indexOf("```", from);
  return text.slice(from, to < 0 ? undefined : to);
}
