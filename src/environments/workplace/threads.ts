import { threadDepth } from "./settings.ts";
import type { Thread, WorkState } from "./state.ts";

const keyOf = ({ agents }: WorkState, subtask: number, asker: number, asked: number): number =>
  (subtask * agents + asker) * agents + asked;

/** The thread a question goes on with: asking the same one about the same subtask again is a further round of it [ours]. */
export const threadOf = (state: WorkState, subtask: number, asker: number, asked: number): Thread | undefined =>
  state.threads.get(keyOf(state, subtask, asker, asked));

export function openThread(state: WorkState, subtask: number, asker: number, asked: number, first: number): void {
  state.threads.set(keyOf(state, subtask, asker, asked), { first, subtask, asker, asked, replies: 0 });
}

/** A thread ends after 3 replies [P]: nobody asks or answers in it any more. */
export const hasEnded = (thread: Thread | undefined): boolean => thread !== undefined && thread.replies >= threadDepth;

/** Whom the owner of a subtask cannot ask about it any more. */
export function closedThreads(state: WorkState, subtask: number): number[] {
  const owner = state.ownerS[subtask];
  return state.closedS[subtask].filter(({ asker }) => asker === owner).map(({ asked }) => asked);
}

/** Counts a reply. */
export function countReply(state: WorkState, subtask: number, asker: number, asked: number): void {
  const thread = threadOf(state, subtask, asker, asked);
  if (thread === undefined) return;
  thread.replies++;
  if (hasEnded(thread)) state.closedS[subtask].push(thread);
}
