import { join } from "node:path";
import type { AgentModel } from "../../agents/index.ts";
import type { Clock } from "../../base/clock.ts";
import type { Environment as Variables } from "../../base/env.ts";
import { ColloquyError } from "../../base/errors.ts";
import { groupBy } from "../../base/group-by.ts";
import { createRng } from "../../base/rng.ts";
import type { LanguageModel, Price } from "../../contracts/language-model.ts";
import {
  type Account,
  type Attempts,
  createAttempts,
  type EndpointSettings,
  identifyEndpoint,
  type Limits,
  openAccount,
  openStack,
  type Rehearsal,
  resolveEndpoint,
} from "../../llm/index.ts";
import type { CallsRecipe, ModelRecipe } from "./llm-recipe.ts";

/** How live language models are called. Nothing of it decides a result. */
export interface LiveOptions {
  /** Where keys, the base URL and the cache's place are read from. */
  readonly variables: Variables;
  readonly clock: Clock;
  /** Calls under way at a time. */
  readonly lanes: number;
  readonly limits?: Limits;
  /** The file of what the run paid; `null`: counted in memory. */
  readonly ledgerPath: string | null;
  /** The user's word that programs of language models may run here. */
  readonly allowCode?: boolean;
  /** Stands in for all models: nothing is sent, calls are counted. */
  readonly rehearsal?: Rehearsal;
  /** Around every model, outside of cache and budget. */
  readonly observe?: (model: LanguageModel) => LanguageModel;
  readonly signal?: AbortSignal;
  readonly onNotice: (notice: string) => void;
}

/** The models of a run, and its account. */
export interface LiveTeam {
  readonly models: readonly AgentModel[];
  readonly account: Account;
  /** Where the models are reached, without secrets. */
  readonly endpoints: readonly string[];
  /** The retry layer of a server: chats and embeddings share one. */
  attemptsFor(baseURL: string | undefined): Attempts;
}

/** The reply cache unless `COLLOQUY_CACHE` names another place. */
const usualCache = join(".colloquy", "cache");

/**
 * Opens the models a recipe names: one account for all, one retry layer a server.
 * @throws ColloquyError `llm/…`, `usage/price`
 */
export function openLiveTeam(models: readonly ModelRecipe[], calls: CallsRecipe, live: LiveOptions): LiveTeam {
  const { variables, clock, lanes, limits, ledgerPath, rehearsal, observe = (model) => model, onNotice } = live;
  const account = openAccount({
    cacheFolder: rehearsal === undefined ? (variables["COLLOQUY_CACHE"] ?? usualCache) : null,
    ledgerPath: rehearsal === undefined ? ledgerPath : null,
    limits,
    prices: { ...freeModels(models), ...calls.prices },
    models: models.map(({ model }) => model),
    onNotice,
  });
  const byEndpoint = new Map<string, Attempts>();
  const attemptsFor = (baseURL: string | undefined): Attempts => {
    const endpoint = resolveEndpoint(baseURL);
    const known = byEndpoint.get(endpoint);
    if (known !== undefined) return known;
    const attempts = createAttempts({
      retries: calls.retries,
      longestWaitMs: calls.longestWaitSeconds * 1000,
      requestsPerMinute: calls.requestsPerMinute ?? undefined,
      tokensPerMinute: calls.tokensPerMinute ?? undefined,
      lanes,
      rng: createRng(`waits ${clock.now()}`),
      clock,
      onNotice,
    });
    byEndpoint.set(endpoint, attempts);
    return attempts;
  };
  const endpointOf = (model: ModelRecipe): EndpointSettings => {
    if (model.provider === "scripted") return { kind: "scripted" };
    const baseURL = model.baseURL ?? variables["OPENAI_BASE_URL"];
    return {
      kind: "openai",
      baseURL,
      apiKey: variables[model.keyVariable],
      timeoutMs: calls.timeoutSeconds * 1000,
      tokensParameter: model.tokensParameter,
      omit: model.omit,
      attempts: attemptsFor(baseURL),
      onNotice,
    };
  };
  const endpoints = models.map(endpointOf);
  return {
    models: models.map((settings, i) => ({
      ...settings,
      name: settings.model,
      model: observe(
        withSignal(rehearsal?.model(identifyEndpoint(endpoints[i])) ?? openStack(endpoints[i], account), live.signal),
      ),
    })),
    account,
    endpoints: [...groupBy(endpoints, identifyEndpoint).keys()],
    attemptsFor,
  };
}

/** Stand-ins cost nothing. */
const freeModels = (models: readonly ModelRecipe[]): Record<string, Price> =>
  Object.fromEntries(
    models.filter(({ provider }) => provider === "scripted").map(({ model }) => [model, { input: 0, output: 0 }]),
  );

/** Every call ends with the run, whoever makes it. */
const withSignal = (model: LanguageModel, run: AbortSignal | undefined): LanguageModel => ({
  complete: (request, signal) => model.complete(request, signal ?? run),
});

/** @throws ColloquyError `usage/live` where a recipe's agents are language models and nobody said how to call them */
export function needLive(live: LiveOptions | undefined): LiveOptions {
  if (live !== undefined) return live;
  throw new ColloquyError("usage/live", "the agents of this recipe are live language models", {
    hint: "Open its world with the option `live`: keys, limits, lanes.",
  });
}
