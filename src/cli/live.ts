import type { LiveOptions, Recipe, Totals } from "../assemble/index.ts";
import { describeTotals } from "../assemble/index.ts";
import { systemClock } from "../base/clock.ts";
import { processEnvironment, type Environment as Variables } from "../base/env.ts";
import { type ColloquyError, endsRun } from "../base/errors.ts";
import { describeFailure, type Output } from "./output.ts";

/** What a command line may say of live language models. */
export interface LiveFlags {
  readonly maxCalls?: number;
  readonly maxTokens?: number;
  readonly maxCost?: number;
  readonly allowCode?: boolean;
  readonly dryRun?: boolean;
  readonly pilot?: boolean;
}

/** What a program may say of them. */
export interface LiveSettings extends LiveFlags {
  /** Where keys, base URL and the place of the cache are read from; default: the process's own and `./.env`. */
  readonly variables?: Variables;
  readonly concurrency?: number;
  readonly signal?: AbortSignal;
  onWarning?(warning: string): void;
  /** Told at the end, however it ends, what live models were paid, over all parts of the run. */
  onPaid?(totals: Totals): void;
}

export const isLive = ({ population }: Pick<Recipe, "population">): boolean => population.kind === "llm";

/** How the models of a run are called. */
export function liveOptions(settings: LiveSettings, ledgerPath: string | null): LiveOptions {
  const { variables, concurrency = 16, maxCalls, maxTokens, maxCost, allowCode, signal, onWarning } = settings;
  return {
    variables: variables ?? processEnvironment(),
    clock: systemClock,
    lanes: concurrency,
    limits: { calls: maxCalls, tokens: maxTokens, cost: maxCost },
    ledgerPath,
    allowCode,
    signal,
    onNotice: (notice) => onWarning?.(notice),
  };
}

/** Whether a run was stopped, saved, by something that no later call would survive. */
export const stopsRun = (error: unknown): error is ColloquyError => endsRun(error) && !error.code.startsWith("usage/");

/** For people: why a run stopped, and that nothing is lost. */
export const describeStop = (error: ColloquyError): string =>
  error.code === "llm/budget"
    ? describeFailure(error)
    : `${describeFailure(error)}\nStopped. What is done is saved; the same command goes on.`;

/** For people: what was paid. Nothing where nobody was asked. */
export function showPaid(output: Output, paid: Totals | undefined): void {
  if (paid !== undefined && paid.calls + paid.cachedCalls + paid.embeddings > 0)
    output.note(`Paid: ${describeTotals(paid)}.`);
}

/** For programs: what was paid; what no server counted is missing in the sums and stands apart. */
export const summarizePaid = ({
  calls,
  cachedCalls,
  tokens,
  cost,
  uncountedCalls,
  unpricedCalls,
  finishes,
}: Totals) => ({
  calls,
  cachedCalls,
  tokens: uncountedCalls > 0 ? null : tokens.prompt + tokens.completion,
  cost: unpricedCalls > 0 ? null : cost,
  countedTokens: tokens,
  pricedCost: cost,
  uncountedCalls,
  unpricedCalls,
  finishes,
});
