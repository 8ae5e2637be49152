import { cancelled, onCancel } from "../../base/cancel.ts";
import type { ChatReply, ChatRequest, LanguageModel } from "../../contracts/language-model.ts";
import { costOf, type PriceOf } from "../money/prices.ts";
import type { ReplyStore } from "./reply-store.ts";
import { requestKey } from "./request-key.ts";

/** A call that is being made, for whoever else wants the same. */
interface Flight {
  readonly reply: Promise<ChatReply>;
  readonly signal: AbortSignal | undefined;
}

/**
 * A model that sends no request twice: replies are kept in a store and marked `cached` when they come from there. Equal
 * requests at the same time share one call, and its failure; the ones that only waited are marked `cached` too.
 *
 * A reply is kept as it came, also one that was cut at the token limit, held back by a filter or refused: that is what
 * the model said. Errors are not kept, nor is an empty reply that claims to be whole (a hiccup of the server).
 * @param endpoint base URL of the server, part of every request's identity
 * @param priceOf what a reply from the store cost, by the prices of today
 * @param onHit called for every reply that needed no request
 */
export function cached(
  model: LanguageModel,
  settings: {
    readonly store: ReplyStore;
    readonly endpoint: string;
    readonly priceOf: PriceOf;
    readonly onHit?: () => void;
  },
): LanguageModel {
  const { store, endpoint, priceOf, onHit } = settings;
  const flights = new Map<string, Flight>();

  const send = async (key: string, request: ChatRequest, signal: AbortSignal | undefined): Promise<ChatReply> => {
    const reply = await model.complete(request, signal);
    const { cost: _, cached: __, ...stored } = reply;
    if (isWhole(reply)) store.put(key, stored);
    return reply;
  };

  const complete = async (request: ChatRequest, signal?: AbortSignal): Promise<ChatReply> => {
    const key = requestKey(request, endpoint);
    const flight = flights.get(key);
    if (flight !== undefined) {
      try {
        const reply = await waitFor(flight.reply, signal);
        onHit?.();
        return { ...reply, cached: true };
      } catch (error) {
        // Who asked first gave up, which is no reason for the others to.
        if (flight.signal?.aborted && !signal?.aborted) return complete(request, signal);
        throw error;
      }
    }
    const stored = store.get(key);
    if (stored !== undefined) {
      onHit?.();
      return { ...stored, cost: costOf(stored.usage, priceOf(request.model)), cached: true };
    }
    const reply = send(key, request, signal).finally(() => flights.delete(key));
    flights.set(key, { reply, signal });
    return reply;
  };
  return { complete };
}

/** A shared call goes on when one of those who wait gives up. */
const waitFor = (reply: Promise<ChatReply>, signal: AbortSignal | undefined): Promise<ChatReply> =>
  new Promise((resolve, reject) => {
    const forget = onCancel(signal, () => reject(cancelled(signal)));
    reply.then(resolve, reject).finally(forget);
  });

const isWhole = ({ text, finish, refused }: ChatReply): boolean =>
  text.trim() !== "" || refused || finish === "length" || finish === "filtered";
