const waiting: (() => void)[] = [];
const atOnce = 1;

function letIn(): void {
  for (const go of waiting.splice(0, atOnce)) go();
  if (waiting.length > 0) setImmediate(letIn);
}

/**
 * Resolves in a turn of the event loop that only a few others have: when hundreds of episodes begin at once, the first
 * calls are under way while the other prompts are still being written.
 */
export const ownTurn = (): Promise<void> =>
  new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(letIn);
  });
