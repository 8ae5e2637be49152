import type { ChatCompletionCreateParamsNonStreaming } from "openai/resources/chat/completions";
import type { LanguageModel } from "../../contracts/language-model.ts";
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
      const reply = readChatReply(body);
      if (reply === undefined)
        throw oddAnswer(asked, "without a choice to read", redact(JSON.stringify(body), apiKey).slice(0, 200));
      return {
        ...reply,
        text: withoutKey(reply.text, apiKey),
        ...(reply.reasoning !== undefined && { reasoning: withoutKey(reply.reasoning, apiKey) }),
      };
    },
  };
}
