/** Time as a value: everything that needs it takes a `Clock`, so tests and resumed runs can supply their own. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Monotonic milliseconds, for durations. */
  elapsedMs(): number;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsedMs: () => performance.now(),
};
