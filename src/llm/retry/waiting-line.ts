import { cancelled, onCancel } from "../../base/cancel.ts";

/** Calls that wait for their turn: those that tried least first, and among them whoever came first. */
export interface WaitingLine {
  readonly length: number;
  /** Resolves when it is let in. @throws ColloquyError `llm/cancelled`: it leaves the line */
  wait(tried: number, signal?: AbortSignal): Promise<void>;
  /** Lets the first one in. */
  letIn(): void;
}

/** @param onLeave told when somebody gave up waiting */
export function createWaitingLine(onLeave: () => void): WaitingLine {
  const waiting: { readonly tried: number; readonly letIn: () => void }[] = [];
  return {
    get length() {
      return waiting.length;
    },
    wait: (tried, signal) =>
      new Promise((resolve, reject) => {
        const place = {
          tried,
          letIn: () => {
            forget();
            resolve();
          },
        };
        const behind = waiting.findIndex((other) => other.tried > tried);
        waiting.splice(behind < 0 ? waiting.length : behind, 0, place);
        const forget = onCancel(signal, () => {
          waiting.splice(waiting.indexOf(place), 1);
          reject(cancelled(signal));
          onLeave();
        });
      }),
    letIn: () => waiting.shift()?.letIn(),
  };
}
