import type { Price, TokenUsage } from "../../contracts/language-model.ts";

/** The day the table below was last compared with what is public. Prices change: a recipe's own go first. */
export const pricesAsOf = "2026-05-07";

/** What well-known models cost at the API of their maker, in US dollars per million tokens. */
export const prices: Readonly<Record<string, Price>> = {
  "gpt-5": { input: 1.25, cachedInput: 0.125, output: 10 },
  "gpt-5-mini": { input: 0.25, cachedInput: 0.025, output: 2 },
  "gpt-5-nano": { input: 0.05, cachedInput: 0.005, output: 0.4 },
  "gpt-4.1": { input: 2, cachedInput: 0.5, output: 8 },
  "gpt-4.1-mini": { input: 0.4, cachedInput: 0.1, output: 1.6 },
  "gpt-4.1-nano": { input: 0.1, cachedInput: 0.025, output: 0.4 },
  "gpt-4o": { input: 2.5, cachedInput: 1.25, output: 10 },
  "gpt-4o-2024-05-13": { input: 5, output: 15 },
  "gpt-4o-mini": { input: 0.15, cachedInput: 0.075, output: 0.6 },
  o3: { input: 2, cachedInput: 0.5, output: 8 },
  "o4-mini": { input: 1.1, cachedInput: 0.275, output: 4.4 },
  "gpt-3.5-turbo": { input: 0.5, output: 1.5 },
  "text-embedding-3-small": { input: 0.02, output: 0 },
  "text-embedding-3-large": { input: 0.13, output: 0 },
};

/** What a model's tokens cost; `null` where that is not known, which is never the same as free. */
export type PriceOf = (model: string) => Price | null;

/**
 * Looks a model up by its name, then by its name without a date or `-latest` behind it and without `openai/` before it;
 * nothing else is guessed. A price of the recipe goes before one of the table, whichever form of the name it has.
 * @param own the recipe's prices by model; 0 for models of one's own
 */
export function priceList(own: Readonly<Record<string, Price>> = {}): PriceOf {
  return (model) => {
    const names = formsOf(model);
    for (const table of [own, prices]) {
      const name = names.find((form) => Object.hasOwn(table, form));
      if (name !== undefined) return table[name];
    }
    return null;
  };
}

function formsOf(model: string): string[] {
  const undated = model.replace(/-(?:\d{4}-\d{2}-\d{2}|latest)$/, "");
  return [model, undated].flatMap((form) => [form, form.replace(/^openai\//, "")]);
}

/**
 * What a call costs in US dollars. Reasoning is part of the completion, and what the server had cached is part of the
 * prompt: neither is paid twice.
 * @returns `null` where tokens or price are not known, except that calls of a free model cost 0 whatever they use
 */
export function costOf(usage: TokenUsage | null, price: Price | null): number | null {
  if (price === null) return null;
  const { input, cachedInput = input, output } = price;
  if (input === 0 && cachedInput === 0 && output === 0) return 0;
  if (usage === null) return null;
  const cached = Math.min(usage.cachedPrompt, usage.prompt);
  return ((usage.prompt - cached) * input + cached * cachedInput + usage.completion * output) / 1e6;
}
