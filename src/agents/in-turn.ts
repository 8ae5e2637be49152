/** Let in at once. Many at a time would keep replies waiting, one alone would keep lanes empty. */
const group = 6;

const waiting: (() => void)[] = [];

function letIn(): void {
  for (const go of waiting.splice(0, group)) go();
  if (waiting.length > 0) setImmediate(letIn);
}

/**
 * Waits for a turn of the event loop, in which only a few others are let in. Where hundreds of episodes begin at once, the
 * first calls are so under way while the other prompts are still being written. First come, first served.
 */
export const inTurn = (): Promise<void> =>
  new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(letIn);
  });
