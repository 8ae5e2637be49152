/**
 * The one error type of the project. It says what happened, to which thing, with what value (`message`),
 * what to do about it (`hint`), and whether trying again can help (`retryable`).
 */
export class ColloquyError extends Error {
  /** Stable machine-readable name, e.g. `recipe/unknown-key`. */
  readonly code: string;
  /** What the reader can do now. */
  readonly hint: string | undefined;
  readonly retryable: boolean;
  /** No later attempt of the run can succeed either (a limit is reached, a key is refused): it stops, saved. */
  readonly endsRun: boolean;

  constructor(
    code: string,
    message: string,
    details: { hint?: string; cause?: unknown; retryable?: boolean; endsRun?: boolean } = {},
  ) {
    super(message, { cause: details.cause });
    this.name = "ColloquyError";
    this.code = code;
    this.hint = details.hint;
    this.retryable = details.retryable ?? false;
    this.endsRun = details.endsRun ?? false;
  }
}

/** Whether a failure means that the run should stop, saved, rather than go on without this one result. */
export const endsRun = (error: unknown): error is ColloquyError => error instanceof ColloquyError && error.endsRun;

/** The message of anything thrown, with the hint of our own errors. */
export function describeError(error: unknown): string {
  if (error instanceof ColloquyError) return error.hint ? `${error.message}\n  ${error.hint}` : error.message;
  return error instanceof Error ? error.message : String(error);
}

/** `did you mean "star"?`, or the list of what there is when nothing is near. */
export function suggest(word: string, known: readonly string[]): string {
  let best: string | undefined;
  let bestDistance = Math.max(2, Math.floor(word.length / 3)) + 1;
  for (const candidate of known) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best === undefined ? `Known: ${known.join(", ")}.` : `Did you mean "${best}"? Known: ${known.join(", ")}.`;
}

/** Optimal string alignment distance: insertions, deletions, substitutions and swaps of neighbours. */
function editDistance(a: string, b: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = previous[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1);
      let cost = Math.min(previous[j] + 1, current[j - 1] + 1, substitution);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, beforePrevious[j - 2] + 1);
      current.push(cost);
    }
    beforePrevious = previous;
    previous = current;
  }
  return previous[b.length];
}
