import { ColloquyError } from "../../base/errors.ts";
import { estimateTokens } from "../../base/estimate-tokens.ts";
import type { ChatReply, ChatRequest, LanguageModel, TokenUsage } from "../../contracts/language-model.ts";
import { countCalls, countTokens, describeTotals, formatDollars } from "./describe-totals.ts";
import type { Ledger } from "./ledger.ts";
import { costOf, type PriceOf } from "./prices.ts";

/** What a run may use over all its parts; absent: no limit. */
export interface Limits {
  readonly calls?: number;
  /** Of prompts and replies together. */
  readonly tokens?: number;
  /** In US dollars. */
  readonly cost?: number;
}

/** Limits and the book that is held against them, shared by all endpoints of a run. */
export interface Budget {
  readonly ledger: Ledger;
  readonly priceOf: PriceOf;
  /**
   * Reserves one call. @returns gives the reservation back
   * @throws ColloquyError `llm/budget` where a limit is reached, `usage/price` where a cost limit cannot be held
   */
  reserve(model: string): () => void;
  /** @throws ColloquyError `llm/budget` where the tokens or the money are used up */
  checkSpent(): void;
}

/**
 * A budget counts what its ledger holds, so a run that goes on does not start again from 0. The call limit is never
 * overshot: calls under way count, and those that fail are given back. Tokens and cost are known only when a reply is
 * there, so they can be overshot by the requests under way at that moment. Calls whose usage a server does not tell count
 * there by an estimate.
 * @param models the models that will be asked
 * @throws ColloquyError `usage/price` where there is a cost limit and a model without a price
 */
export function openBudget(settings: {
  readonly limits: Limits;
  readonly ledger: Ledger;
  readonly priceOf: PriceOf;
  readonly models: readonly string[];
}): Budget {
  const { limits, ledger, priceOf, models } = settings;
  let underWay = 0;

  const checkPrice = (model: string): void => {
    if (limits.cost === undefined || priceOf(model) !== null) return;
    throw new ColloquyError("usage/price", `--max-cost cannot be held: the price of model "${model}" is not known`, {
      hint: `Give it in the recipe, in US dollars per million tokens (0 for a model of your own), for example calls: { prices: { "${model}": { input: 0.15, output: 0.6 } } }, or limit --max-tokens instead.`,
      endsRun: true,
    });
  };
  models.forEach(checkPrice);

  const checkSpent = (): void => {
    const totals = ledger.totals();
    if (limits.tokens !== undefined && countTokens(totals) + totals.estimate.tokens >= limits.tokens)
      throw reached(ledger, `${limits.tokens.toLocaleString("en-US")} tokens`, "--max-tokens", underWay);
    // Sums of the same amounts fall short of it in the last digits.
    if (limits.cost !== undefined && totals.cost + totals.estimate.cost >= limits.cost * (1 - 1e-9))
      throw reached(ledger, formatDollars(limits.cost), "--max-cost", underWay);
  };

  return {
    ledger,
    priceOf,
    checkSpent,
    reserve(model) {
      checkPrice(model);
      checkSpent();
      if (limits.calls !== undefined && ledger.totals().calls + underWay >= limits.calls)
        throw reached(ledger, countCalls(limits.calls), "--max-calls", underWay);
      underWay++;
      return () => {
        underWay--;
      };
    },
  };
}

/** A model whose calls stay within a budget: each is reserved before it starts, whatever it takes to get a reply. */
export function budgeted(model: LanguageModel, { reserve }: Budget): LanguageModel {
  return {
    async complete(request, signal) {
      const giveBack = reserve(request.model);
      try {
        return await model.complete(request, signal);
      } finally {
        giveBack();
      }
    },
  };
}

/**
 * A model whose replies are paid, with their price, as they arrive, and that sends nothing once tokens or money are used
 * up. It stands around the client itself: a call may wait long for its turn, and whoever is next must know what was spent.
 */
export function paid(model: LanguageModel, { ledger, priceOf, checkSpent }: Budget): LanguageModel {
  return {
    async complete(request, signal) {
      checkSpent();
      const reply = await model.complete(request, signal);
      const price = priceOf(request.model);
      const cost = costOf(reply.usage, price);
      const guess = reply.usage === null ? estimateUsage(request, reply) : undefined;
      writeDown(ledger, {
        model: request.model,
        usage: reply.usage,
        cost,
        finish: reply.finish,
        ...(guess && {
          estimate: {
            tokens: guess.prompt + guess.completion,
            cost: cost === null ? (costOf(guess, price) ?? 0) : 0,
          },
        }),
        ...(request.label !== undefined && { label: request.label }),
      });
      return { ...reply, cost };
    },
  };
}

/** What cannot be written down must not be spent: the run ends. */
function writeDown(ledger: Ledger, call: Parameters<Ledger["pay"]>[0]): void {
  try {
    ledger.pay(call);
  } catch (cause) {
    if (!(cause instanceof ColloquyError)) throw cause;
    throw new ColloquyError(cause.code, `what was paid cannot be written down: ${cause.message}`, {
      hint: cause.hint,
      cause,
      endsRun: true,
    });
  }
}

function reached(ledger: Ledger, limit: string, flag: string, underWay: number): ColloquyError {
  return new ColloquyError(
    "llm/budget",
    `the limit of ${limit} (${flag}) is reached. So far: ${describeTotals(ledger.totals())}${underWay > 0 ? `; ${countCalls(underWay)} under way` : ""}`,
    { hint: `What is done is saved. To go on, run the same command with a higher ${flag}.`, endsRun: true },
  );
}

/** A guess at what a server did not count. */
function estimateUsage({ messages, maxTokens }: ChatRequest, { text, reasoning = "", finish }: ChatReply): TokenUsage {
  const said = estimateTokens(text) + estimateTokens(reasoning);
  return {
    prompt: messages.reduce((sum, { content }) => sum + estimateTokens(content), 0),
    cachedPrompt: 0,
    completion: finish === "length" ? Math.max(said, maxTokens ?? 0) : said,
    reasoning: 0,
  };
}
