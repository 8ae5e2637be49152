import { estimateTokens } from "../../base/estimate-tokens.ts";
import type { ChatRequest, LanguageModel } from "../../contracts/language-model.ts";
import { type AttemptSettings, type Attempts, createAttempts } from "./attempts.ts";

/**
 * A model that is asked again where that can help, at the pace its server allows.
 * @param attempts settings, or the retry layer to share with others who ask the same server
 */
export function retried(model: LanguageModel, attempts: AttemptSettings | Attempts): LanguageModel {
  const layer = "run" in attempts ? attempts : createAttempts(attempts);
  return {
    complete: (request, signal) =>
      layer.run({
        send: () => model.complete(request, signal),
        estimate: () => estimateRequest(request),
        counted: ({ usage }) => (usage === null ? undefined : usage.prompt + usage.completion),
        signal,
      }),
  };
}

/** Servers count the reply's limit as if it were used up, and a few tokens for the frame of each message. */
const estimateRequest = ({ messages, maxTokens = 1000 }: ChatRequest): number =>
  messages.reduce((sum, { content }) => sum + estimateTokens(content) + 4, maxTokens);
