import { estimateTokens } from "../base/estimate-tokens.ts";
import { isRecord } from "../base/json.ts";
import { createRng, type Rng } from "../base/rng.ts";
import { type ChatReply, type ChatRequest, type LanguageModel, longestReply } from "../contracts/language-model.ts";
import { requestKey } from "./replies/request-key.ts";

/** What a script says: a text, or any part of a reply; the rest is made up to fit. */
export type Script = (request: ChatRequest, rng: Rng) => string | Partial<ChatReply>;

const phrases = [
  "The wording of the question narrows it down.",
  "One can rule out the others by looking at the units.",
  "This follows from the definition.",
  "The first step is to restate what is given.",
  "A quick check with a simple case agrees.",
  "The remaining choices contradict what was said.",
  "It is a common mistake to stop one step earlier.",
  "Working backwards gives the same result.",
];

/**
 * A stand-in that answers without a server, for trying recipes and for tests: a few sentences and a guess, an option
 * where the last message lists some, else a number. Equal requests get equal replies; usage is an estimate.
 * @param script says something else instead; its stream follows from seed and request
 */
export function scriptedModel({ seed = 1, script = guess }: { seed?: number; script?: Script } = {}): LanguageModel {
  return {
    async complete(request) {
      const rng = createRng(seed).fork("scripted", requestKey(request, "scripted"));
      const said = script(request, rng);
      const part = typeof said === "string" ? { text: said } : said;
      const text = (part.text ?? "").slice(0, longestReply);
      return {
        finish: "stop",
        refused: false,
        usage: {
          prompt: request.messages.reduce((sum, { content }) => sum + estimateTokens(content) + 4, 0),
          cachedPrompt: 0,
          completion: estimateTokens(text) + estimateTokens(part.reasoning ?? ""),
          reasoning: estimateTokens(part.reasoning ?? ""),
        },
        cost: null,
        cached: false,
        ...part,
        text,
      };
    },
  };
}

const guess: Script = ({ messages, schema }, rng) => {
  const asked = messages.findLast(({ role }) => role === "user")?.content ?? "";
  // Options may stand in a quotation.
  const letters = [...asked.matchAll(/^[\s>|]*\(?([A-Z])[).:]\s/gm)].map(([, letter]) => letter);
  const answer = letters.length > 0 ? rng.pick(letters) : String(rng.integer(100));
  const prose = rng
    .shuffle(phrases)
    .slice(0, 2 + rng.integer(4))
    .join(" ");
  return schema === undefined ? `${prose}\nANSWER: ${answer}` : JSON.stringify(fill(schema.schema, { answer, prose }));
};

/** A value of the form a schema asks for: `answer` where a field is called so, prose in other texts. */
function fill(schema: unknown, said: { readonly answer: string; readonly prose: string }, name = ""): unknown {
  if (!isRecord(schema)) return said.prose;
  if (Array.isArray(schema.enum)) return schema.enum.includes(said.answer) ? said.answer : schema.enum[0];
  if (isRecord(schema.properties))
    return Object.fromEntries(Object.entries(schema.properties).map(([key, part]) => [key, fill(part, said, key)]));
  if (schema.type === "number" || schema.type === "integer") return Number.parseInt(said.answer, 10) || 0;
  if (schema.type === "boolean") return false;
  if (schema.type === "array") return [];
  return name === "answer" ? said.answer : said.prose;
}
