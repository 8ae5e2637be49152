import type { Sleep } from "../../base/cancel.ts";

/** One timer that can be set anew, and leaves nothing behind when it is cleared. */
export interface Alarm {
  readonly isSet: boolean;
  set(ms: number, ring: () => void): void;
  clear(): void;
}

export function createAlarm(sleep: Sleep): Alarm {
  let current: AbortController | undefined;
  const clear = (): void => {
    current?.abort();
    current = undefined;
  };
  return {
    get isSet() {
      return current !== undefined;
    },
    set(ms, ring) {
      clear();
      const mine = new AbortController();
      current = mine;
      sleep(ms, mine.signal).then(
        () => {
          if (current !== mine) return;
          current = undefined;
          ring();
        },
        // Cleared.
        () => {},
      );
    },
    clear,
  };
}
