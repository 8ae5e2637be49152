import type { Clock } from "../base/clock.ts";

/**
 * How long something will still take, by its own pace since the first look: what an earlier part of it had done already says
 * nothing.
 * @returns milliseconds, or `null` where nothing is known yet
 */
export function paceOf(clock: Clock): (done: number, total: number) => number | null {
  let first: { readonly done: number; readonly atMs: number } | undefined;
  return (done, total) => {
    const atMs = clock.elapsedMs();
    first ??= { done, atMs };
    if (done >= total) return 0;
    return done > first.done ? ((atMs - first.atMs) / (done - first.done)) * (total - done) : null;
  };
}

/** `40 s`, `3 min`, `2 h 5 min`. */
export function formatDuration(ms: number): string {
  if (ms < 90_000) return `${Math.ceil(ms / 1000)} s`;
  const minutes = Math.ceil(ms / 60_000);
  return minutes < 90 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
