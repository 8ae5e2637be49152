import { cleanName } from "../base/quote-text.ts";
import { createRng, type Rng } from "../base/rng.ts";
import type { Agent, Turn } from "../contracts/agent.ts";
import type { ChatRequest, UsedModel } from "../contracts/language-model.ts";
import { answerSchema } from "./answer-format.ts";
import { inTurn } from "./in-turn.ts";
import { settleTarget } from "./orders.ts";
import { checkPromptSize } from "./prompt-size.ts";
import { type Manner, writePrompt } from "./prompts.ts";
import { readUtterance } from "./read-utterance.ts";

/** A model as one agent uses it; `structured` is off by default. */
export type AgentModel = UsedModel;

/** One member of a team of language models. */
export interface LanguageAgentSettings {
  readonly index: number;
  readonly model: AgentModel;
  readonly manner: Manner;
  /** Which of the bounded number of draws this episode uses; `null`: one of its own. */
  readonly draw: number | null;
  readonly truncatedPrompt: "warn" | "fail";
  onWarning?(warning: string): void;
}

/** An agent that answers a turn by one call of its model. It remembers nothing: what it knows stands in the turn. */
export function languageAgent(settings: LanguageAgentSettings): Agent {
  const { index, model, manner, draw, truncatedPrompt, onWarning } = settings;
  return {
    role: cleanName(manner.role.name),
    async respond(given) {
      await inTurn();
      const turn = given.orders ? { ...given, orders: settleTarget(given.orders, given.question, given.rng) } : given;
      const request = writeRequest(turn, index, model, manner, chooseSample(turn, index, draw));
      const reply = await model.model.complete(request, turn.signal);
      checkPromptSize(request, reply, { truncatedPrompt, onWarning });
      return readUtterance(turn.question, reply, model.structured === true);
    },
  };
}

function writeRequest(turn: Turn, index: number, model: AgentModel, manner: Manner, sample: number): ChatRequest {
  const { name, temperature, topP, maxTokens, structured, sendSeed = true, extra } = model;
  return {
    model: name,
    messages: writePrompt(turn, manner),
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { topP }),
    ...(maxTokens !== undefined && { maxTokens }),
    ...(sendSeed && { seed: sample }),
    ...(structured && { schema: answerSchema(turn.question) }),
    ...(extra !== undefined && { extra }),
    sample,
    label: `agent ${index}, round ${turn.round}${turn.orders ? ", under orders" : ""}`,
  };
}

/**
 * Which draw of the prompt this turn is. Two agents, or two rounds, never share one, so that equal prompts are still
 * answered independently; the same turn of the same episode always has the same one.
 */
function chooseSample({ rng, round }: Turn, index: number, draw: number | null): number {
  const stream: Rng = draw === null ? rng.fork("reply") : createRng("draws").fork(draw, index, round);
  return stream.integer(2147483647);
}
