import { describeTotals, type LiveOptions, type Totals } from "../assemble/index.ts";
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
  /** Given, at the start, a way to see what live models were paid until now, over all parts of the run. */
  onCalls?(look: () => Totals): void;
}

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
    onNotice: sparing((notice) => onWarning?.(notice)),
  };
}

/** Notices of one kind that are told; a server in trouble has thousands of them. */
const enough = 5;

function sparing(tell: (notice: string) => void): (notice: string) => void {
  const told = new Map<string, number>();
  return (notice) => {
    const kind = notice.replace(/\d[\d.,]*/g, "#").slice(0, 80);
    const times = (told.get(kind) ?? 0) + 1;
    told.set(kind, times);
    if (times <= enough) tell(times < enough ? notice : `${notice} (more like this are not shown)`);
  };
}

/** Milliseconds between two lines on what is being spent, where there is no terminal to show it in one place. */
const beatMs = 10_000;

/** Tells now and then what is being spent, while a long step shows nothing else. @returns ends it */
export function watchCalls(output: Output, look: () => Totals): () => void {
  if (process.stderr.isTTY) return () => {};
  let told = look().calls;
  let silentBeats = 0;
  const timer = setInterval(() => {
    const totals = look();
    silentBeats = totals.calls === told ? silentBeats + 1 : 0;
    told = totals.calls;
    if (silentBeats === 0) output.note(`so far ${describeTotals(totals)}`);
    else if (silentBeats % 6 === 0)
      output.note(`no reply for ${(silentBeats * beatMs) / 1000} s; so far ${describeTotals(totals)}`);
  }, beatMs);
  return () => clearInterval(timer);
}

/** Whether a run was stopped, saved, by something that no later call would survive. */
export const stopsRun = (error: unknown): error is ColloquyError =>
  endsRun(error) && !/^usage\/|^code\/not-allowed$/.test(error.code);

/** For people: why a run stopped, and that nothing is lost. */
export function describeStop(error: ColloquyError): string {
  if (error.code === "llm/budget") return describeFailure(error);
  const reason = error.code === "llm/cancelled" ? "" : `${describeFailure(error)}\n`;
  return `${reason}Stopped. What is done is saved; the same command goes on.`;
}

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
