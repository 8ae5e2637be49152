/**
 * Runs `work` on every item, at most `lanes` at a time, and hands the results over in the order of the items, whatever
 * order they come in. Stops starting when `work` throws (the first error is thrown on once the rest has ended) or when it
 * answers `stopped`; what lies behind a gap is then not handed over.
 * @returns whether all items were handed over
 */
export async function runInOrder<Item, Result>(
  items: readonly Item[],
  lanes: number,
  work: (item: Item) => Promise<Result | typeof stopped>,
  deliver: (result: Result, item: Item) => void,
): Promise<boolean> {
  const waiting = new Map<number, Result>();
  let next = 0;
  let delivered = 0;
  let halted = false;
  const lane = async (): Promise<void> => {
    while (!halted && next < items.length) {
      const index = next++;
      try {
        const result = await work(items[index]);
        if (result === stopped) {
          halted = true;
          return;
        }
        waiting.set(index, result);
        for (; waiting.has(delivered); delivered++) {
          const ready = waiting.get(delivered)!;
          waiting.delete(delivered);
          deliver(ready, items[delivered]);
        }
      } catch (error) {
        halted = true;
        throw error;
      }
      // Synchronous agents never leave the event loop by themselves: an interrupt has to get through.
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: Math.max(1, lanes) }, lane));
  for (const end of ends) if (end.status === "rejected") throw end.reason;
  return delivered === items.length;
}

/** What `work` answers when it was interrupted. */
export const stopped = Symbol("stopped");
