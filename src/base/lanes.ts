/**
 * Runs `work` for 0 .. count−1 in at most `lanes` lanes and returns the results in index order: what runs beside what
 * never shows in them. The first error stops new work and is thrown once the lanes are empty.
 */
export async function runInLanes<T>(count: number, lanes: number, work: (index: number) => Promise<T>): Promise<T[]> {
  const results = new Array<T>(count);
  let next = 0;
  let failure: { error: unknown } | undefined;
  const lane = async (): Promise<void> => {
    while (next < count && failure === undefined) {
      const index = next++;
      try {
        results[index] = await work(index);
      } catch (error) {
        failure ??= { error };
      }
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, Math.min(lanes, count)) }, lane));
  if (failure !== undefined) throw failure.error;
  return results;
}
