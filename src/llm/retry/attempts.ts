import pLimit from "p-limit";
import { cancelled, onCancel, type Sleep, sleep as sleepOnTheWall } from "../../base/cancel.ts";
import { type Clock, systemClock } from "../../base/clock.ts";
import { ColloquyError } from "../../base/errors.ts";
import type { Rng } from "../../base/rng.ts";
import { ModelFailure } from "../server/failures.ts";
import { createRateLimits } from "./rate-limits.ts";
import { createSharedPause, type Pass } from "./shared-pause.ts";

/** How often and how fast a server is asked. */
export interface AttemptSettings {
  /** Requests of one call beyond the first. A call sends at most 1 + this many. */
  readonly retries: number;
  /** A server that asks to be left alone for longer ends the run. */
  readonly longestWaitMs: number;
  /** Calls under way at a time; the others wait in order. */
  readonly lanes: number;
  readonly requestsPerMinute?: number;
  readonly tokensPerMinute?: number;
  /** The wait after failure k, without word from the server, is drawn from [0, this · 2^k]. Default 500. */
  readonly baseDelayMs?: number;
  /** The most such a wait can be. Default 30,000. */
  readonly maxDelayMs?: number;
  /** Of the jitter; it changes waits, never results. */
  readonly rng: Rng;
  readonly clock?: Clock;
  readonly sleep?: Sleep;
  /** Told of each pause. */
  readonly onNotice?: (message: string) => void;
}

/** One call, which may take several requests. */
export interface Attempt<T> {
  /** Sends one request. */
  readonly send: () => Promise<T>;
  /** About how many tokens it will use; asked only where tokens per minute are limited. */
  readonly estimate?: () => number;
  /** How many it used; `undefined` where nobody counted. */
  readonly counted?: (result: T) => number | undefined;
  readonly signal?: AbortSignal;
}

/** The one retry layer of a server: chats and embeddings share it, and with it lanes, limits and pauses. */
export interface Attempts {
  /**
   * @throws ColloquyError what the last request failed with, no longer retryable; `llm/wait`; `llm/cancelled`. After
   * `llm/key` or `llm/quota` every further call fails alike without a request
   */
  run<T>(attempt: Attempt<T>): Promise<T>;
}

// Written here rather than with p-retry: waits and the order of calls depend on what other calls are told.
export function createAttempts(settings: AttemptSettings): Attempts {
  const { retries, longestWaitMs, lanes, rng, clock = systemClock, sleep = sleepOnTheWall, onNotice } = settings;
  const baseDelayMs = settings.baseDelayMs ?? 500;
  const maxDelayMs = Math.min(settings.maxDelayMs ?? 30_000, longestWaitMs);
  const limit = pLimit(lanes);
  const pause = createSharedPause({ longestWaitMs, baseDelayMs, maxDelayMs, rng, clock, sleep });
  const limits = createRateLimits({ ...settings, clock, sleep });
  const over = new AbortController();
  let verdict: ColloquyError | undefined;

  const end = (error: ColloquyError): void => {
    verdict ??= error;
    over.abort();
    pause.open();
    limits.open();
  };
  const check = (signal?: AbortSignal): void => {
    if (signal?.aborted) throw cancelled(signal);
    if (verdict !== undefined) throw verdict;
  };

  /** Waits on its own; ends early, as it must, when the call is cancelled or all calls are over. */
  const backOff = async (tried: number, signal?: AbortSignal): Promise<void> => {
    const early = new AbortController();
    const stop = (): void => early.abort();
    const forget = [onCancel(signal, stop), onCancel(over.signal, stop)];
    try {
      await sleep(rng.uniform() * Math.min(maxDelayMs, baseDelayMs * 2 ** tried), early.signal);
    } finally {
      for (const each of forget) each();
      check(signal);
    }
  };

  /** Leave to send, with a place in the limits. */
  const clear = async (tried: number, tokens: number, signal?: AbortSignal) => {
    for (;;) {
      const pass = await pause.enter(tried, signal);
      try {
        const booking = await limits.book(tokens, signal);
        if (!pass.isStale()) return { pass, booking };
        // A pause began while it waited for the limits.
        booking.cancel();
      } catch (error) {
        pass.giveBack(false);
        throw error;
      }
      pass.giveBack(false);
    }
  };

  /** What a failure means for this call and all others; throws where it is the last word. */
  const takeIn = async (error: unknown, pass: Pass, tried: number, signal?: AbortSignal): Promise<void> => {
    const failure = error instanceof ColloquyError ? error : undefined;
    const retryAfterMs = failure instanceof ModelFailure ? failure.retryAfterMs : undefined;
    const isShared = failure?.code === "llm/rate-limit" || (retryAfterMs ?? 0) > 0;
    if (failure?.retryable && isShared) {
      const waitMs = pause.begin(pass, retryAfterMs);
      if (waitMs !== undefined && waitMs <= longestWaitMs)
        onNotice?.(`${failure.message}. All calls wait ${(waitMs / 1000).toFixed(1)} s`);
    }
    pass.giveBack(false);
    if (failure?.code === "llm/key" || failure?.code === "llm/quota") end(failure);
    if (!failure?.retryable) throw error;
    if (tried >= retries && (retryAfterMs ?? 0) <= longestWaitMs) throw lastWord(failure, tried + 1);
    if (!isShared && retryAfterMs !== 0) await backOff(tried, signal);
  };

  const run = async <T>({ send, estimate, counted, signal }: Attempt<T>): Promise<T> => {
    const tokens = settings.tokensPerMinute === undefined ? 0 : (estimate?.() ?? 0);
    for (let tried = 0; ; tried++) {
      check(signal);
      const { pass, booking } = await clear(tried, tokens, signal);
      try {
        check(signal);
        const result = await send();
        booking.correct(counted?.(result) ?? tokens);
        pass.giveBack(true);
        return result;
      } catch (error) {
        await takeIn(error, pass, tried, signal);
      }
    }
  };

  return {
    run: (attempt) =>
      new Promise((resolve, reject) => {
        // A call that waits for a lane ends at once when it is cancelled; its place in the queue passes by unused.
        const forget = onCancel(attempt.signal, () => reject(cancelled(attempt.signal)));
        limit(() => run(attempt))
          .finally(forget)
          .then(resolve, reject);
      }),
  };
}

/** The same failure, which nobody should try again. */
function lastWord(failure: ColloquyError, requests: number): ColloquyError {
  const asked = requests === 1 ? "asked once" : `asked ${requests} times`;
  return new ColloquyError(failure.code, `${failure.message} (${asked})`, {
    hint: failure.hint,
    cause: failure,
    endsRun: failure.endsRun || failure.code === "llm/unreachable",
  });
}
