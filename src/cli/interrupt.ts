/**
 * The first Ctrl-C (or SIGTERM) asks for a polite stop through the signal; the second ends the process at once.
 * @param isLive the signal also cancels calls of live models
 * @returns the signal and a function that lets go of the handlers
 */
export function onInterrupt(
  note: (text: string) => void,
  isLive = false,
): { signal: AbortSignal; release: () => void } {
  const controller = new AbortController();
  const stop = (): void => {
    if (controller.signal.aborted) process.exit(130);
    note(
      isLive
        ? "Stopping. Calls under way are cancelled (a server may charge them); what came back before is kept."
        : "Stopping after the step at hand; its result is saved. Press Ctrl-C again to stop at once.",
    );
    controller.abort();
  };
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
  return {
    signal: controller.signal,
    release: () => {
      process.off("SIGINT", stop);
      process.off("SIGTERM", stop);
    },
  };
}
