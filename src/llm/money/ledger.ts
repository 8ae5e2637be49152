import { existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { z } from "zod";
import { ColloquyError } from "../../base/errors.ts";
import { appendJsonLines, type JsonLinesWriter, readJsonLines } from "../../base/jsonl.ts";
import type { ChatReply, TokenUsage } from "../../contracts/language-model.ts";

const count = z.int().min(0);

/** One paid call as it stands in the file: neither text nor key. */
const paidCall = z.strictObject({
  model: z.string(),
  usage: z.strictObject({ prompt: count, cachedPrompt: count, completion: count, reasoning: count }).nullable(),
  /** In US dollars; `null` where tokens or price are not known. */
  cost: z.number().min(0).nullable(),
  finish: z.enum(["stop", "length", "filtered", "other"]),
  /** A guess where the server did not count: limits go by it, totals do not. */
  estimate: z.strictObject({ tokens: count, cost: z.number().min(0) }).optional(),
  label: z.string().optional(),
  /** A request for embeddings: its tokens and cost count, but it is no call of an agent. */
  embedding: z.literal(true).optional(),
});

export type PaidCall = z.infer<typeof paidCall>;

/** What a run has paid for, over all its parts. */
export interface Totals {
  readonly calls: number;
  /** Replies that came from the cache, of this process alone: they cost nothing and are written nowhere. */
  readonly cachedCalls: number;
  /** As counted by the servers; calls they did not count are missing here and stand in `uncountedCalls`. */
  readonly tokens: TokenUsage;
  readonly uncountedCalls: number;
  /** In US dollars, of the calls whose cost is known; the others stand in `unpricedCalls`. */
  readonly cost: number;
  readonly unpricedCalls: number;
  /** What the uncounted calls may have used and cost on top. */
  readonly estimate: { readonly tokens: number; readonly cost: number };
  readonly finishes: Readonly<Record<ChatReply["finish"], number>>;
  /** Requests for embeddings. */
  readonly embeddings: number;
  /** What of all this stood in the file already when it was opened: the share of earlier parts of the run. */
  readonly earlier: { readonly calls: number; readonly cost: number };
}

/** The book of what was really paid. */
export interface Ledger {
  totals(): Totals;
  /** On its return the call is in the file: killing the process does not lose it. @throws ColloquyError `file/write` */
  pay(call: PaidCall): void;
  /** Counts a reply that came from the cache. */
  countCached(): void;
  close(): void;
}

const nothing: Totals = {
  calls: 0,
  cachedCalls: 0,
  tokens: { prompt: 0, cachedPrompt: 0, completion: 0, reasoning: 0 },
  uncountedCalls: 0,
  cost: 0,
  unpricedCalls: 0,
  estimate: { tokens: 0, cost: 0 },
  finishes: { stop: 0, length: 0, filtered: 0, other: 0 },
  embeddings: 0,
  earlier: { calls: 0, cost: 0 },
};

/**
 * A ledger, opened with its first use; where the file holds calls of an earlier part of the run, the totals go on from them. The file has one
 * writer at a time, as its run folder has.
 * @param path a JSON-lines file, or `null` to keep totals only
 * @throws ColloquyError `file/write`, `jsonl/line`; `llm/ledger` where a line is no call
 */
export function openLedger(path: string | null): Ledger {
  let book: { totals: Totals; readonly writer: JsonLinesWriter | undefined } | undefined;
  // With its first use: by then its folder is the run's own, and has been emptied where the run starts over.
  const open = () => {
    if (book !== undefined) return book;
    const found = (path !== null && existsSync(path) ? readCalls(path) : []).reduce(add, nothing);
    book = {
      totals: { ...found, earlier: { calls: found.calls, cost: found.cost } },
      writer: path === null ? undefined : openFile(path),
    };
    return book;
  };
  return {
    totals: () => open().totals,
    pay(call) {
      const opened = open();
      opened.writer?.append(call);
      opened.totals = add(opened.totals, call);
    },
    countCached() {
      const opened = open();
      opened.totals = { ...opened.totals, cachedCalls: opened.totals.cachedCalls + 1 };
    },
    close: () => book?.writer?.close(),
  };
}

function openFile(path: string): JsonLinesWriter {
  mkdirSync(dirname(path), { recursive: true });
  return appendJsonLines(path);
}

function readCalls(path: string): PaidCall[] {
  return readJsonLines(path).records.map((record, i) => {
    const checked = paidCall.safeParse(record);
    if (checked.success) return checked.data;
    throw new ColloquyError(
      "llm/ledger",
      `${path}, record ${i + 1} is no paid call: ${z.prettifyError(checked.error)}`,
      {
        hint: "The file was changed by hand or by another program. Mend it, or start over with --fresh.",
        endsRun: true,
      },
    );
  });
}

function add(totals: Totals, { usage, cost, finish, estimate, embedding }: PaidCall): Totals {
  const { tokens } = totals;
  return {
    ...totals,
    calls: totals.calls + (embedding ? 0 : 1),
    embeddings: totals.embeddings + (embedding ? 1 : 0),
    tokens:
      usage === null
        ? tokens
        : {
            prompt: tokens.prompt + usage.prompt,
            cachedPrompt: tokens.cachedPrompt + usage.cachedPrompt,
            completion: tokens.completion + usage.completion,
            reasoning: tokens.reasoning + usage.reasoning,
          },
    uncountedCalls: totals.uncountedCalls + (usage === null ? 1 : 0),
    cost: totals.cost + (cost ?? 0),
    unpricedCalls: totals.unpricedCalls + (cost === null ? 1 : 0),
    estimate: {
      tokens: totals.estimate.tokens + (estimate?.tokens ?? 0),
      cost: totals.estimate.cost + (estimate?.cost ?? 0),
    },
    finishes: embedding ? totals.finishes : { ...totals.finishes, [finish]: totals.finishes[finish] + 1 },
  };
}
