import { cancelled, onCancel, type Sleep } from "../../src/base/cancel.ts";
import type { Clock } from "../../src/base/clock.ts";

/** Time that passes only while everyone waits: it jumps to whoever is due next. */
export function createTestTime() {
  let nowMs = 0;
  const due: { atMs: number; wake: () => void }[] = [];
  let isJumping = false;
  const jump = (): void => {
    isJumping = false;
    due.sort((a, b) => a.atMs - b.atMs);
    const next = due.shift();
    if (next === undefined) return;
    nowMs = Math.max(nowMs, next.atMs);
    next.wake();
    plan();
  };
  const plan = (): void => {
    if (isJumping || due.length === 0) return;
    isJumping = true;
    setImmediate(jump);
  };
  const testSleep: Sleep = (ms, signal) =>
    new Promise((resolve, reject) => {
      const entry = {
        atMs: nowMs + ms,
        wake: () => {
          forget();
          resolve();
        },
      };
      due.push(entry);
      const forget: () => void = onCancel(signal, () => {
        due.splice(due.indexOf(entry), 1);
        reject(cancelled(signal));
      });
      plan();
    });
  const clock: Clock = { now: () => nowMs, elapsedMs: () => nowMs };
  return { clock, sleep: testSleep, waiting: () => due.length };
}
