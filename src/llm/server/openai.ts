import type { ChatCompletionCreateParamsNonStreaming } from "openai/resources/chat/completions";
import { type ChatReply, type LanguageModel, longestReply } from "../../contracts/language-model.ts";
import { readChatReply } from "./chat-reply.ts";
import { type ConnectionSettings, connect, oddAnswer } from "./connection.ts";
import type { Asked } from "./failures.ts";
import { createParameters, type ParameterSettings } from "./parameters.ts";
import { redact, withoutKey } from "./redact.ts";

export interface OpenaiSettings extends ConnectionSettings, ParameterSettings {}

/**
 * Models behind the OpenAI chat API: hosted, vLLM, Ollama, LM Studio, llama.cpp. One call is one request: failures are
 * thrown, and asking again is up to `retried`. A parameter that a model refuses is remembered, and the failure
 * (`llm/parameter`, retryable) means that the next request will do without it.
 *
 * Failures, all `ColloquyError`: `llm/key`, `llm/quota`, `llm/not-found`, `llm/redirect`, `llm/cancelled` end the run;
 * `llm/rate-limit`, `llm/server`, `llm/timeout`, `llm/connection`, `llm/unreachable`, `llm/parameter` are retryable; `llm/request` is not.
 *
 * @throws ColloquyError `llm/endpoint`, `llm/key`
 */
export function openaiClient(settings: OpenaiSettings): LanguageModel {
  const connection = connect(settings);
  const { baseURL, apiKey } = connection;
  const parameters = createParameters(baseURL, settings);
  return {
    async complete(request, signal) {
      const asked: Asked = { url: `${baseURL}/chat/completions`, model: request.model, apiKey };
      const sent = parameters.word(request);
      const body = await connection.request({
        asked,
        send: (client, options) =>
          client.chat.completions.create(sent as unknown as ChatCompletionCreateParamsNonStreaming, options),
        explain: (problem) => parameters.adapt(request, sent, problem, asked),
        signal,
      });
      const reply = tryReading(body, asked);
      if (reply === undefined) throw oddAnswer(asked, "without a choice to read", describeBody(body, apiKey));
      return {
        ...reply,
        // Cut behind that: a cut could go through the key.
        text: withoutKey(reply.text, apiKey).slice(0, longestReply),
        ...(reply.reasoning !== undefined && {
          reasoning: withoutKey(reply.reasoning, apiKey).slice(0, longestReply),
        }),
      };
    },
  };
}

/** A body may be nested more deeply than can be followed. */
function tryReading(body: Readonly<Record<string, unknown>>, asked: Asked): ChatReply | undefined {
  try {
    return readChatReply(body);
  } catch (cause) {
    if (cause instanceof RangeError) throw oddAnswer(asked, "with a body that is nested too deeply");
    throw cause;
  }
}

function describeBody(body: Readonly<Record<string, unknown>>, apiKey: string | undefined): string {
  try {
    return redact(JSON.stringify(body), apiKey).slice(0, 200);
  } catch {
    return "a body that is nested too deeply";
  }
}
