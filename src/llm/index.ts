/** Ways to reach a language model, by name. */
export const languageModels = {
  openai: { summary: "any server that speaks the OpenAI chat API: hosted, vLLM, Ollama, LM Studio, llama.cpp" },
  scripted: { summary: "a seeded stand-in that answers without a server, for trying recipes" },
} as const;

export { type AttemptSettings, type Attempts, createAttempts } from "./attempts.ts";
export type { Limits } from "./budgeted.ts";
export { describeTotals, formatDollars } from "./describe-totals.ts";
export { defaultEndpoint, resolveEndpoint } from "./endpoint.ts";
export { endpointEmbedder } from "./endpoint-embedder.ts";
export type { Ledger, Totals } from "./ledger.ts";
export { priceList, pricesAsOf } from "./prices.ts";
export { type ProbeFinding, probeServer } from "./probe.ts";
export {
  type Guess,
  isFirst,
  kindOf,
  leastGuess,
  mostGuess,
  openRehearsal,
  type PilotCall,
  pilotGuess,
  type Rehearsal,
  type RehearsedTotals,
} from "./rehearsal.ts";
export { type Account, type EndpointSettings, identifyEndpoint, openAccount, openStack } from "./stack.ts";
