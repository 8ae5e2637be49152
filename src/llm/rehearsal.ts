import { estimateTokens } from "../base/estimate-tokens.ts";
import { groupBy } from "../base/group-by.ts";
import { createRng } from "../base/rng.ts";
import { sum } from "../base/stats.ts";
import type { ChatReply, ChatRequest, LanguageModel, TokenUsage } from "../contracts/language-model.ts";
import { costOf, type PriceOf } from "./money/prices.ts";
import type { ReplyStore } from "./replies/reply-store.ts";
import { requestKey } from "./replies/request-key.ts";

/** How a call is imagined, always alike: its text decides how long later prompts are, its usage what it costs. */
export type Guess = (request: ChatRequest) => { readonly text: string; readonly usage: TokenUsage };

/** What a rehearsed run would send and pay for. */
export interface RehearsedTotals {
  calls: number;
  promptTokens: number;
  completionTokens: number;
  /** In US dollars; `null` once a model's price is not known. */
  cost: number | null;
}

/** Models that send nothing and count what would be sent. */
export interface Rehearsal {
  readonly totals: Readonly<RehearsedTotals>;
  /** The stand-in for the server at `endpoint`; all stand-ins of a rehearsal count together. */
  model(endpoint: string): LanguageModel;
}

/**
 * Plays calls without sending them, so that a run can be played to learn its bill. Equal requests count once, and those
 * whose reply is in the store are answered from it and do not count, just as in the run itself.
 * @param apart later words count each time, equal or not: a policy that nobody knows yet may order them otherwise
 */
export function openRehearsal(settings: {
  readonly guess: Guess;
  readonly priceOf: PriceOf;
  readonly store?: ReplyStore;
  readonly apart?: boolean;
}): Rehearsal {
  const { guess, priceOf, store, apart = false } = settings;
  const totals: RehearsedTotals = { calls: 0, promptTokens: 0, completionTokens: 0, cost: 0 };
  const counted = new Set<string>();

  const pay = ({ usage, cost }: { readonly usage: TokenUsage; readonly cost: number | null }): void => {
    totals.calls++;
    totals.promptTokens += usage.prompt;
    totals.completionTokens += usage.completion;
    totals.cost = totals.cost === null || cost === null ? null : totals.cost + cost;
  };
  const model = (endpoint: string): LanguageModel => ({
    async complete(request) {
      const price = priceOf(request.model);
      const key = requestKey(request, endpoint);
      const stored = store?.get(key);
      if (stored !== undefined) return { ...stored, cost: costOf(stored.usage, price), cached: true };
      const { text, usage } = guess(request);
      const cost = costOf(usage, price);
      const isNew = !counted.has(key) || (apart && !isFirst(request.label ?? ""));
      if (isNew) pay({ usage, cost });
      counted.add(key);
      return { text, finish: "stop", refused: false, usage, cost, cached: !isNew };
    },
  });
  return { totals, model };
}

const lengthOf = ({ messages }: ChatRequest): number => sum(messages.map(({ content }) => content.length));
const bytesOf = ({ messages }: ChatRequest): number => sum(messages.map(({ content }) => Buffer.byteLength(content)));

/**
 * The cheapest run one could meet: bare answers, all alike so that later requests are alike and sent once, eight characters
 * a token, and every prompt in the server's cache.
 */
export const leastGuess: Guess = (request) => {
  const prompt = Math.ceil(lengthOf(request) / 8);
  return { text: "ANSWER: A", usage: { prompt, cachedPrompt: prompt, completion: 1, reasoning: 0 } };
};

/**
 * The dearest run one could meet: every reply fills its limit, four characters a token; prompts take a token for every
 * two bytes, and eight a message.
 * @param unlimited tokens of a reply where a request sets no limit
 */
export const mostGuess =
  (unlimited = 4096): Guess =>
  (request) => {
    const completion = request.maxTokens ?? unlimited;
    const prompt = Math.ceil(bytesOf(request) / 2) + 8 * request.messages.length;
    return {
      text: `${"It follows from what was said. ".repeat(completion / 7.75)}${answerTo(request)}`,
      usage: { prompt, cachedPrompt: 0, completion, reasoning: 0 },
    };
  };

/** A readable answer that is unlike those to other requests: equal ones would make later requests equal, and those are sent once. */
function answerTo(request: ChatRequest): string {
  const key = requestKey(request, "");
  return `${key.slice(0, 6)}\nANSWER: ${key > "8" ? "A" : "B"}`;
}

/** One real call of a pilot. */
export interface PilotCall {
  readonly request: ChatRequest;
  readonly reply: ChatReply;
}

/**
 * The run as a few real calls foretell it: replies are drawn from theirs, the same one for equal requests, and prompts
 * are counted as the server counted theirs, by tokens a character and the share it had cached; each model by its own
 * calls, the first round and later ones apart, where it has any.
 * @throws RangeError without calls
 */
export function pilotGuess(calls: readonly PilotCall[], seed: number): Guess {
  if (calls.length === 0) throw new RangeError("a pilot needs at least one call");
  const rng = createRng(seed).fork("pilot");
  const byKind = new Map(
    [kindOf, ({ model }: ChatRequest) => model].flatMap((name) =>
      [...groupBy(calls, ({ request }) => name(request))].map(([kind, own]) => [kind, learn(own)] as const),
    ),
  );
  const overall = learn(calls);
  return (request) => {
    const { replies, tokensPerCharacter, cachedShare } =
      byKind.get(kindOf(request)) ?? byKind.get(request.model) ?? overall;
    const { text, usage } = rng.fork(requestKey(request, "")).pick(replies);
    const prompt = Math.round(lengthOf(request) * tokensPerCharacter);
    return {
      text,
      usage: {
        prompt,
        cachedPrompt: Math.round(prompt * cachedShare),
        completion: usage?.completion ?? estimateTokens(text),
        reasoning: usage?.reasoning ?? 0,
      },
    };
  };
}

/**
 * What foretells how long a reply is: who speaks, whether these are first words, and whether somebody told it what to argue
 * for. Labels say so.
 */
export const kindOf = ({ model, label = "" }: ChatRequest): string =>
  `${isFirst(label) ? "first" : "later"} ${/\bunder orders\b/.test(label) ? "told" : "free"} ${model}`;

export const isFirst = (label: string): boolean => /\bround 1\b/.test(label);

function learn(calls: readonly PilotCall[]) {
  const counted = calls.filter(({ reply }) => reply.usage !== null);
  const characters = sum(counted.map(({ request }) => lengthOf(request)));
  const prompt = sum(counted.map(({ reply }) => reply.usage!.prompt));
  const cachedPrompt = sum(counted.map(({ reply }) => Math.min(reply.usage!.cachedPrompt, reply.usage!.prompt)));
  return {
    replies: calls.map(({ reply }) => reply),
    // As estimateTokens has it, where no server has counted.
    tokensPerCharacter: prompt > 0 && characters > 0 ? prompt / characters : 1 / 4,
    cachedShare: prompt > 0 ? cachedPrompt / prompt : 0,
  };
}
