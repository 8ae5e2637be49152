import { AsyncLocalStorage } from "node:async_hooks";

const methods = ["log", "info", "warn", "error"] as const;
const silenced = new AsyncLocalStorage<true>();
let running = 0;
let originals: readonly Console["log"][] = [];

/**
 * Does work of a package that prints, without its prints: what others print meanwhile passes. The console is itself again
 * when the last such work is done.
 */
export async function withoutPrinting<T>(work: () => Promise<T>): Promise<T> {
  if (running++ === 0) {
    originals = methods.map((method) => console[method]);
    methods.forEach((method, i) => {
      const print = originals[i];
      console[method] = (...parts) => silenced.getStore() ?? print.apply(console, parts);
    });
  }
  try {
    return await silenced.run(true, work);
  } finally {
    if (--running === 0)
      methods.forEach((method, i) => {
        console[method] = originals[i];
      });
  }
}
