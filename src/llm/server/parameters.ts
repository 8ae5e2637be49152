import type { ChatRequest } from "../../contracts/language-model.ts";
import { type Asked, describe, isTooLong, ModelFailure } from "./failures.ts";
import type { ServerProblem } from "./server-problem.ts";

/** What a reply's limit is called: newer models refuse `max_tokens`, some servers know nothing else. */
export type TokensParameter = "auto" | "max_tokens" | "max_completion_tokens" | "none";

/** Parameters that some models do not take. */
export const omissible = ["temperature", "top_p", "seed", "response_format"] as const;

/** How requests are worded for a server. */
export interface ParameterSettings {
  /** `auto`: `max_completion_tokens` for OpenAI itself, else `max_tokens`; the other one once a model refuses it. */
  readonly tokensParameter?: TokensParameter;
  /** Parameters that are never sent. Default none; what a model refuses is also left out from then on. */
  readonly omit?: readonly string[];
  /** Told once a model and parameter how a request had to be changed. */
  readonly onNotice?: (message: string) => void;
}

/** What a model was found to take. */
interface Manners {
  tokens: "max_tokens" | "max_completion_tokens" | "none";
  readonly refused: Set<string>;
}

/** Words requests, and learns from refusals which parameters a model does not take. */
export function createParameters(baseURL: string, settings: ParameterSettings) {
  const pinned = (settings.tokensParameter ?? "auto") !== "auto";
  const first = new URL(baseURL).hostname === "api.openai.com" ? "max_completion_tokens" : "max_tokens";
  const models = new Map<string, Manners>();
  const mannersOf = (model: string): Manners => {
    let manners = models.get(model);
    if (manners === undefined) {
      const { tokensParameter = "auto", omit = [] } = settings;
      manners = { tokens: tokensParameter === "auto" ? first : tokensParameter, refused: new Set(omit) };
      models.set(model, manners);
    }
    return manners;
  };

  return {
    /** The body of a request, in the words its model takes. */
    word(request: ChatRequest): Record<string, unknown> {
      const { tokens, refused } = mannersOf(request.model);
      const { schema } = request;
      const settable: Record<string, unknown> = {
        temperature: request.temperature,
        top_p: request.topP,
        seed: request.seed,
        response_format: schema && { type: "json_schema", json_schema: { ...schema, strict: true } },
        ...(tokens !== "none" && { [tokens]: request.maxTokens }),
      };
      const taken = Object.entries(settable).filter(([name, value]) => value !== undefined && !refused.has(name));
      return {
        ...request.extra,
        ...Object.fromEntries(taken),
        model: request.model,
        messages: request.messages.map(({ role, content }) => ({ role, content })),
        stream: false,
      };
    },

    /**
     * Learns from a refusal of `sent`.
     * @returns an error that says to ask again, now that the request will be worded otherwise, or what to change in the
     * recipe; `undefined` where no parameter that can be done without is at fault
     */
    adapt(
      request: ChatRequest,
      sent: Readonly<Record<string, unknown>>,
      problem: ServerProblem,
      asked: Asked,
    ): ModelFailure | undefined {
      const name = problem.status === 400 || problem.status === 422 ? refusedParameter(problem, sent) : undefined;
      if (name === undefined || (request.extra !== undefined && name in request.extra)) return undefined;
      const manners = mannersOf(request.model);
      let recipe = `omit: [${name}]`;
      if (name === "max_tokens" || name === "max_completion_tokens") {
        const other = name === "max_tokens" ? "max_completion_tokens" : "max_tokens";
        if (pinned || manners.refused.has(other))
          return new ModelFailure("llm/request", describe(asked, `does not take ${name}`, problem.message), {
            hint: `Write "tokensParameter: ${pinned ? "auto" : "none"}" into the recipe.`,
          });
        manners.tokens = other;
        recipe = `tokensParameter: ${other}`;
      }
      // Calls that were under way at the same time learn the same; one notice is enough.
      if (!manners.refused.has(name))
        settings.onNotice?.(
          `model "${request.model}" does not take ${name}: asked again without it. To make this permanent write "${recipe}" into the recipe`,
        );
      manners.refused.add(name);
      return new ModelFailure("llm/parameter", describe(asked, `does not take ${name}`, problem.message), {
        retryable: true,
        retryAfterMs: 0,
        hint: `Write "${recipe}" into the recipe.`,
      });
    },
  };
}

/** It does not take the parameter at all, or only its default. */
const unknown =
  /unsupported|n[o']t support|unknown|unrecogni[sz]ed|unexpected|unavailable|deprecated|extra (inputs|fields)|forbidden|incompatible|not (allowed|permitted|accepted|available|valid|a valid)|only (the )?default|only be|only \S+ is|cannot be (used|set)/i;
/** It takes the parameter, but not this value. */
const outOfRange =
  /too (large|high|small|low)|at (most|least)|must be|between|(greater|less|more) than|out of range|exceed|maximum|minimum/i;

/** Which parameter that was sent and can be done without is refused as such. */
function refusedParameter(problem: ServerProblem, sent: Readonly<Record<string, unknown>>): string | undefined {
  if (isTooLong(problem)) return undefined;
  const candidates = ["max_tokens", "max_completion_tokens", ...omissible].filter((name) => name in sent);
  const isUnknown = unknown.test([problem.message, ...problem.names].join(" "));
  if (problem.param !== undefined) {
    const parts = problem.param.split(/[.[\]]/);
    const named = candidates.find((name) => parts.includes(name));
    return isUnknown || !outOfRange.test(problem.message) ? named : undefined;
  }
  return isUnknown ? candidates.find((name) => new RegExp(`\\b${name}\\b`).test(problem.message)) : undefined;
}
