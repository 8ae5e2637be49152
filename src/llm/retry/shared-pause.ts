import type { Sleep } from "../../base/cancel.ts";
import type { Clock } from "../../base/clock.ts";
import { ColloquyError } from "../../base/errors.ts";
import type { Rng } from "../../base/rng.ts";
import { createAlarm } from "./alarm.ts";
import { createWaitingLine } from "./waiting-line.ts";

/** Leave to send one request. */
export interface Pass {
  /** A pause began since it was given: what it allowed is no longer allowed. */
  isStale(): boolean;
  /** Must be called once, when the request has ended. */
  giveBack(succeeded: boolean): void;
}

/** One pause for all calls to a server. */
export interface SharedPause {
  /** Waits until a request may be sent. @throws ColloquyError `llm/cancelled`, `llm/wait` */
  enter(tried: number, signal?: AbortSignal): Promise<Pass>;
  /**
   * The server refused the request of `pass` because there are too many: nobody sends until it is over.
   * @param askedMs how long the server asked for
   * @returns how long, where this began a pause; else the refused request was sent before the last pause began
   */
  begin(pass: Pass, askedMs: number | undefined): number | undefined;
  /** Ends all waiting. */
  open(): void;
}

/** How long to watch a request that nobody refused, before more are let in. */
const settleMs = 1000;

/**
 * After a pause one call goes first, the one that has tried least; each success lets in one more besides the next, and so
 * does time without a refusal. So a server that refuses for a minute gets one request a pause, and the calls spend
 * their retries evenly. Pauses that the server names no length for double.
 */
export function createSharedPause(settings: {
  readonly longestWaitMs: number;
  readonly baseDelayMs: number;
  readonly maxDelayMs: number;
  readonly rng: Rng;
  readonly clock: Clock;
  readonly sleep: Sleep;
}): SharedPause {
  const { longestWaitMs, baseDelayMs, maxDelayMs, rng, clock, sleep } = settings;
  // Passes belong to the time between two pauses: news from an earlier one is no news.
  let era = 0;
  const eras = new WeakMap<Pass, number>();
  let pausedUntilMs = Number.NEGATIVE_INFINITY;
  let pausesInARow = 0;
  let underWay = 0;
  let allowed = Number.POSITIVE_INFINITY;
  const leftMs = (): number => pausedUntilMs - clock.elapsedMs();

  const line = createWaitingLine(() => line.length === 0 && alarm.clear());
  const alarm = createAlarm(sleep);
  const letIn = (count: number): void => {
    for (let i = Math.min(count, line.length); i > 0; i--) line.letIn();
  };
  const look = (): void => {
    const left = leftMs();
    if (left > longestWaitMs) letIn(line.length);
    else if (left <= 0) letIn(allowed - underWay);
    if (line.length === 0) alarm.clear();
    else if (left > 0) alarm.set(left, look);
    else if (!alarm.isSet)
      alarm.set(settleMs, () => {
        allowed *= 2;
        look();
      });
  };

  const createPass = (): Pass => {
    const mine = era;
    const pass: Pass = {
      isStale: () => mine !== era || leftMs() > 0,
      giveBack(succeeded) {
        if (mine === era) {
          underWay--;
          if (succeeded) {
            allowed++;
            pausesInARow = 0;
          }
        }
        look();
      },
    };
    eras.set(pass, mine);
    return pass;
  };

  return {
    async enter(tried, signal) {
      for (;;) {
        const left = leftMs();
        if (left > longestWaitMs) throw waitTooLong(left, longestWaitMs);
        if (left <= 0 && underWay < allowed) {
          underWay++;
          return createPass();
        }
        const turn = line.wait(tried, signal);
        look();
        await turn;
      }
    },
    begin(pass, askedMs) {
      const isNews = eras.get(pass) === era;
      if (isNews) {
        era++;
        underWay = 0;
        allowed = 1;
      } else if (askedMs === undefined) return undefined;
      const doubled = Math.min(maxDelayMs, baseDelayMs * 2 ** pausesInARow);
      if (isNews) pausesInARow++;
      // A little more than asked, so that several programs do not come back at once.
      const waitMs =
        askedMs === undefined
          ? doubled * (1 + rng.uniform()) * 0.5
          : Math.max(askedMs, Math.min(longestWaitMs, askedMs * (1 + 0.05 * rng.uniform())));
      pausedUntilMs = Math.max(pausedUntilMs, clock.elapsedMs() + waitMs);
      look();
      return isNews ? waitMs : undefined;
    },
    open() {
      pausedUntilMs = Number.NEGATIVE_INFINITY;
      allowed = Number.POSITIVE_INFINITY;
      look();
    },
  };
}

/** The server asks for more patience than the run has. */
function waitTooLong(waitMs: number, longestWaitMs: number): ColloquyError {
  const seconds = (ms: number): string => `${Math.ceil(ms / 1000)} s`;
  return new ColloquyError(
    "llm/wait",
    `the model server asks to wait ${seconds(waitMs)}, longer than the ${seconds(longestWaitMs)} a run may wait`,
    { hint: "What was done is saved: run the same command again later, or allow a longer wait.", endsRun: true },
  );
}
