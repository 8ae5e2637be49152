/** One message of a conversation. Text of strangers (peers, datasets) stands in the `user` role only. */
export interface ChatMessage {
  readonly role: "system" | "user" | "assistant";
  readonly content: string;
}

/** What a model is asked. All fields but `label` decide the reply and are part of its identity in the cache. */
export interface ChatRequest {
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  /** Absent settings are left to the server. */
  readonly temperature?: number;
  readonly topP?: number;
  /** The most tokens of the reply, hidden reasoning included. */
  readonly maxTokens?: number;
  readonly seed?: number;
  /** The form the reply should have, where the server can hold to one (structured output). */
  readonly schema?: { readonly name: string; readonly schema: Readonly<Record<string, unknown>> };
  /** Further fields of the body, as the server names them. */
  readonly extra?: Readonly<Record<string, unknown>>;
  /** Which of several draws of the same request this is. Never sent. */
  readonly sample: number;
  /** Who asks ("agent 2, round 3, under orders"), for messages and estimates; no part of the request's identity. */
  readonly label?: string;
}

/** Tokens as the server counted them. */
export interface TokenUsage {
  /** Of the whole prompt, `cachedPrompt` included. */
  readonly prompt: number;
  /** The part of the prompt the server had in its own cache; cheaper. */
  readonly cachedPrompt: number;
  /** Of the whole reply, `reasoning` included. */
  readonly completion: number;
  readonly reasoning: number;
}

/** A reply that arrived whole. */
export interface ChatReply {
  /** What was said to be read; `""` where there was nothing. Untrusted, and cut to `longestReply` characters. */
  readonly text: string;
  /** Hidden thoughts, where the server shows them apart from the text. Never an answer. */
  readonly reasoning?: string;
  /** Why it ended: by itself, at the token limit, held back by a filter, or for a reason of the server's own. */
  readonly finish: "stop" | "length" | "filtered" | "other";
  /** The server says that the model refused. */
  readonly refused: boolean;
  /** `null` where the server did not count, or counted what cannot be. */
  readonly usage: TokenUsage | null;
  /** In US dollars by the price table, whether it was paid now or earlier; `null` where tokens or price are not known. */
  readonly cost: number | null;
  /** It came from the cache: no request was sent. */
  readonly cached: boolean;
}

/** The most characters of a reply's text that are kept. */
export const longestReply = 100_000;

/**
 * Whoever completes chats: a server, a script, or one of these with a cache, a budget or retries around it.
 * Every failure is a ColloquyError whose code begins with `llm/`; `retryable` says whether asking again can help, and
 * `endsRun` whether no later call can succeed either.
 */
export interface LanguageModel {
  complete(request: ChatRequest, signal?: AbortSignal): Promise<ChatReply>;
}

/** A model as somebody uses it. Absent settings are left to the server, but for those with a default. */
export interface UsedModel {
  readonly model: LanguageModel;
  /** As the server knows it. */
  readonly name: string;
  readonly temperature?: number;
  readonly topP?: number;
  readonly maxTokens?: number;
  /** Ask for a reply in a schema, where the server can hold to one; whoever uses it says by default or not. */
  readonly structured?: boolean;
  /** Send the number of the draw as `seed`. Default true. */
  readonly sendSeed?: boolean;
  readonly extra?: Readonly<Record<string, unknown>>;
}

/** What tokens cost, in US dollars per million. */
export interface Price {
  readonly input: number;
  /** Of prompt tokens the server had cached; default: as `input`. */
  readonly cachedInput?: number;
  readonly output: number;
}
