import { z } from "zod";
import { type ChatReply, longestReply } from "../../contracts/language-model.ts";

/** A reply as it is kept: what the server said and counted. What it costs follows from the price table of the day. */
export type StoredReply = Omit<ChatReply, "cost" | "cached">;

/** Where replies are kept, by `requestKey`. */
export interface ReplyStore {
  /** A reply put here earlier, by this process or another one; never a damaged one. */
  get(key: string): StoredReply | undefined;
  /** From its return on the reply is kept, though not if the machine itself fails within seconds. */
  put(key: string, reply: StoredReply): void;
  close(): void;
}

const tokens = z.int().min(0);

/** What a stored reply must look like; a file of a stranger may hold anything. */
const storedReply = z.object({
  text: z.string().max(longestReply),
  reasoning: z.string().max(longestReply).optional(),
  finish: z.enum(["stop", "length", "filtered", "other"]),
  refused: z.boolean(),
  usage: z.object({ prompt: tokens, cachedPrompt: tokens, completion: tokens, reasoning: tokens }).nullable(),
});

export function checkStoredReply(value: unknown): StoredReply | undefined {
  const checked = storedReply.safeParse(value);
  return checked.success ? checked.data : undefined;
}

/**
 * Replies kept for the life of this process.
 * @param capacity replies kept; the oldest go first
 */
export function memoryStore(capacity = 20_000): ReplyStore {
  const replies = new Map<string, StoredReply>();
  return {
    get: (key) => replies.get(key),
    put(key, reply) {
      replies.set(key, reply);
      if (replies.size <= capacity) return;
      for (const oldest of replies.keys()) {
        replies.delete(oldest);
        break;
      }
    },
    close: () => replies.clear(),
  };
}
