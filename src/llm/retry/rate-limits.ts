import type { Sleep } from "../../base/cancel.ts";
import type { Clock } from "../../base/clock.ts";
import { createAlarm } from "./alarm.ts";
import { createWaitingLine } from "./waiting-line.ts";

/** A request that was counted, at the time it was let through. */
export interface Booking {
  /** Puts the tokens that were really used in place of the estimate. */
  correct(tokens: number): void;
  /** It was not sent after all. */
  cancel(): void;
}

/** Limits a minute. */
export interface RateLimits {
  /** Waits until one more request of about `tokens` fits. @throws ColloquyError `llm/cancelled` */
  book(tokens: number, signal?: AbortSignal): Promise<Booking>;
  /** Ends all limits. */
  open(): void;
}

const minuteMs = 60_000;
const free: Booking = { correct() {}, cancel() {} };

/**
 * Holds to limits in any window of sixty seconds, first come, first served. A request that is larger than the limit on
 * tokens goes when the window is empty.
 *
 * @param requestsPerMinute absent: no limit; so with tokens
 */
export function createRateLimits(settings: {
  readonly requestsPerMinute?: number;
  readonly tokensPerMinute?: number;
  readonly clock: Clock;
  readonly sleep: Sleep;
}): RateLimits {
  let { requestsPerMinute = Number.POSITIVE_INFINITY, tokensPerMinute = Number.POSITIVE_INFINITY } = settings;
  const { clock, sleep } = settings;
  const isLimited = requestsPerMinute < Number.POSITIVE_INFINITY || tokensPerMinute < Number.POSITIVE_INFINITY;
  // In the order of time: a Set keeps it, and gives up any entry at once.
  const window = new Set<{ readonly atMs: number; tokens: number }>();
  let used = 0;
  const remove = (entry: { readonly tokens: number }): void => {
    if (window.delete(entry as { readonly atMs: number; tokens: number })) used -= entry.tokens;
  };
  const fits = (tokens: number): boolean => {
    const oldestMs = clock.elapsedMs() - minuteMs;
    for (const entry of window) {
      if (entry.atMs > oldestMs) break;
      remove(entry);
    }
    return window.size === 0 || (window.size < requestsPerMinute && used + tokens <= tokensPerMinute);
  };

  const wake = (): void => {
    if (line.length === 0) alarm.clear();
    else line.letIn();
  };
  const line = createWaitingLine(wake);
  const alarm = createAlarm(sleep);

  return {
    async book(tokens, signal) {
      if (!isLimited) return free;
      for (let mayGo = line.length === 0; ; mayGo = true) {
        if (mayGo && fits(tokens)) break;
        // Whoever was woken too early goes back to the front.
        const turn = line.wait(mayGo ? 0 : 1, signal);
        for (const { atMs } of window) {
          alarm.set(Math.max(1, atMs + minuteMs - clock.elapsedMs()), wake);
          break;
        }
        await turn;
      }
      const entry = { atMs: clock.elapsedMs(), tokens };
      window.add(entry);
      used += tokens;
      wake();
      return {
        correct(counted) {
          if (!window.has(entry)) return;
          used += counted - entry.tokens;
          entry.tokens = counted;
          wake();
        },
        cancel() {
          remove(entry);
          wake();
        },
      };
    },
    open() {
      requestsPerMinute = Number.POSITIVE_INFINITY;
      tokensPerMinute = Number.POSITIVE_INFINITY;
      while (line.length > 0) line.letIn();
    },
  };
}
