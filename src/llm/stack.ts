import type { LanguageModel, Price } from "../contracts/language-model.ts";
import { type Budget, budgeted, type Limits, openBudget, paid } from "./money/budgeted.ts";
import { type Ledger, openLedger } from "./money/ledger.ts";
import { costOf, priceList } from "./money/prices.ts";
import { cached } from "./replies/cached.ts";
import { openReplyLog } from "./replies/reply-log.ts";
import { memoryStore, type ReplyStore } from "./replies/reply-store.ts";
import type { AttemptSettings, Attempts } from "./retry/attempts.ts";
import { retried } from "./retry/retried.ts";
import { type Script, scriptedModel } from "./scripted.ts";
import { resolveEndpoint } from "./server/endpoint.ts";
import { type OpenaiSettings, openaiClient } from "./server/openai.ts";

/** Where replies come from. */
export type EndpointSettings =
  | ({ readonly kind: "openai"; readonly attempts: AttemptSettings | Attempts } & OpenaiSettings)
  | { readonly kind: "scripted"; readonly seed?: number; readonly script?: Script };

/** What all endpoints of a run share: the replies it keeps, what it has paid, what it may pay. */
export interface Account {
  readonly store: ReplyStore;
  readonly ledger: Ledger;
  readonly budget: Budget;
  /** Writes a request for embeddings into the book. */
  payEmbedding(used: { readonly model: string; readonly tokens: number | null }): void;
  close(): void;
}

/**
 * Opens the account of a run.
 * @throws ColloquyError `llm/cache`, `llm/ledger`, `jsonl/line`, `file/write`; `usage/price` where a cost limit meets a
 * model without a price
 */
export function openAccount(settings: {
  /** Where replies are kept, shared with other runs; `null`: in memory, while this process lives. */
  readonly cacheFolder: string | null;
  /** The file of what was paid, the run's own; `null`: in memory. */
  readonly ledgerPath: string | null;
  readonly limits?: Limits;
  /** Prices that go before the table's, by model. */
  readonly prices?: Readonly<Record<string, Price>>;
  /** Every model the run will ask. */
  readonly models: readonly string[];
  readonly onNotice: (notice: string) => void;
}): Account {
  const { cacheFolder, ledgerPath, limits = {}, prices, models, onNotice } = settings;
  const ledger = openLedger(ledgerPath);
  const priceOf = priceList(prices);
  const budget = openBudget({ limits, ledger, priceOf, models });
  const store = cacheFolder === null ? memoryStore() : openReplyLog(cacheFolder, onNotice);
  return {
    store,
    ledger,
    budget,
    payEmbedding({ model, tokens }) {
      const usage = tokens === null ? null : { prompt: tokens, cachedPrompt: 0, completion: 0, reasoning: 0 };
      ledger.pay({ model, usage, cost: costOf(usage, priceOf(model)), finish: "stop", embedding: true });
    },
    close() {
      store.close();
      ledger.close();
    },
  };
}

/** The base URL as it stands in the identity of requests. */
export const identifyEndpoint = (settings: EndpointSettings): string =>
  settings.kind === "scripted" ? `scripted:${settings.seed ?? 1}` : resolveEndpoint(settings.baseURL);

/**
 * A model ready for a run: `cached(budgeted(retried(paid(client))))`. So a reply from the cache costs nothing, a call
 * is reserved once and not once an attempt, and only what arrived whole is paid and kept. Each endpoint has its own retries
 * and pause. Tokens and money are looked at again before each request, since a call may wait long for its lane.
 * @throws ColloquyError `llm/endpoint`, `llm/key`
 */
export function openStack(settings: EndpointSettings, { store, ledger, budget }: Account): LanguageModel {
  return cached(budgeted(openEndpoint(settings, budget), budget), {
    store,
    endpoint: identifyEndpoint(settings),
    priceOf: budget.priceOf,
    onHit: ledger.countCached,
  });
}

const openEndpoint = (settings: EndpointSettings, budget: Budget): LanguageModel =>
  settings.kind === "scripted"
    ? paid(scriptedModel(settings), budget)
    : retried(paid(openaiClient(settings), budget), settings.attempts);
