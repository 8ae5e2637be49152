import { ColloquyError } from "./errors.ts";

/** Everyone who waits for a signal, so that each signal carries one listener however many calls share it. */
const waiting = new WeakMap<AbortSignal, { readonly calls: Set<() => void>; readonly listener: () => void }>();

/**
 * Calls `stop` when `signal` is aborted, at once if it already is. Thousands of calls may share a signal: it gets one
 * listener, removed with the last of them.
 * @returns forgets it again; must be called when the work has ended
 */
export function onCancel(signal: AbortSignal | undefined, stop: () => void): () => void {
  if (signal === undefined) return () => {};
  if (signal.aborted) {
    stop();
    return () => {};
  }
  let entry = waiting.get(signal);
  if (entry === undefined) {
    const calls = new Set<() => void>();
    const listener = (): void => {
      waiting.delete(signal);
      for (const call of calls) call();
    };
    entry = { calls, listener };
    waiting.set(signal, entry);
    signal.addEventListener("abort", listener, { once: true });
  }
  const { calls, listener } = entry;
  // A function of its own for each call: the same `stop` may be given twice.
  const call = (): void => stop();
  calls.add(call);
  return () => {
    if (!calls.delete(call) || calls.size > 0 || waiting.get(signal)?.calls !== calls) return;
    waiting.delete(signal);
    signal.removeEventListener("abort", listener);
  };
}

/** What a call ends with when its signal is aborted: no failure of the server, and nothing to try again. */
export const cancelled = (signal?: AbortSignal): ColloquyError =>
  new ColloquyError("llm/cancelled", "the call was cancelled", { cause: signal?.reason, endsRun: true });

/** Waits; a value, so that tests need not. */
export type Sleep = (ms: number, signal?: AbortSignal) => Promise<void>;

/** Waits on the wall. @throws ColloquyError `llm/cancelled` as soon as the signal is aborted; no timer stays behind */
export const sleep: Sleep = (ms, signal) =>
  new Promise((resolve, reject) => {
    // Node fires timers above this at once.
    const timer = setTimeout(
      () => {
        forget();
        resolve();
      },
      Math.min(ms, 2 ** 31 - 1),
    );
    const forget = onCancel(signal, () => {
      clearTimeout(timer);
      reject(cancelled(signal));
    });
  });
