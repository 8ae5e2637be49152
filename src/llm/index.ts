/** Ways to reach a language model, by name. */
export const languageModels = {
  openai: { summary: "any server that speaks the OpenAI chat API: hosted, vLLM, Ollama, LM Studio, llama.cpp" },
  scripted: { summary: "a seeded stand-in that answers without a server, for trying recipes" },
} as const;

export { endpointEmbedder } from "./endpoint-embedder.ts";
export type { Limits } from "./money/budgeted.ts";
export { describeTotals, formatDollars } from "./money/describe-totals.ts";
export type { Ledger, Totals } from "./money/ledger.ts";
export { priceList, pricesAsOf } from "./money/prices.ts";
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
export { type AttemptSettings, type Attempts, createAttempts } from "./retry/attempts.ts";
export { defaultEndpoint, resolveEndpoint } from "./server/endpoint.ts";
export { type ProbeFinding, probeServer } from "./server/probe.ts";
export { type Account, type EndpointSettings, identifyEndpoint, openAccount, openStack } from "./stack.ts";
