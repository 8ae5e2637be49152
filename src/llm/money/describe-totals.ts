import type { Totals } from "./ledger.ts";

const grouped = new Intl.NumberFormat("en-US");

/** `1,204 calls`, `1 call`. */
export const countCalls = (calls: number): string => `${grouped.format(calls)} ${calls === 1 ? "call" : "calls"}`;

/** US dollars for people: cents, or two digits of what is less than ten cents. */
export function formatDollars(cost: number): string {
  if (cost === 0 || cost >= 0.095)
    return `$${cost.toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;
  return `$${cost.toLocaleString("en-US", { maximumSignificantDigits: 2, maximumFractionDigits: 20 })}`;
}

/** Prompt and completion of all counted calls. */
export const countTokens = ({ tokens }: Totals): number => tokens.prompt + tokens.completion;

/**
 * One line for people: `1,204 calls (310 more from the cache), 512,300 tokens, $0.41; 3 calls without usage`. What is not
 * known is said to be so and never shown as 0.
 */
export function describeTotals(totals: Totals): string {
  const { calls, cachedCalls, uncountedCalls, unpricedCalls, cost, embeddings, earlier } = totals;
  const fromCache = cachedCalls > 0 ? ` (${grouped.format(cachedCalls)} more from the cache)` : "";
  const isCounted = uncountedCalls < calls || calls === 0;
  const isPriced = unpricedCalls < calls || calls === 0;
  const known = [
    `${countCalls(calls)}${fromCache}`,
    isCounted ? `${grouped.format(countTokens(totals))} tokens` : "tokens unknown",
    isPriced ? formatDollars(cost) : "cost unknown",
    ...(embeddings > 0
      ? [`${grouped.format(embeddings)} ${embeddings === 1 ? "request" : "requests"} for embeddings among them`]
      : []),
  ];
  const missing = [
    ...(earlier.calls > 0
      ? [
          `of these ${countCalls(earlier.calls)}${isPriced ? ` and ${formatDollars(earlier.cost)}` : ""} in earlier parts`,
        ]
      : []),
    ...(uncountedCalls > 0 ? [`${countCalls(uncountedCalls)} without usage`] : []),
    ...(unpricedCalls > 0 && isPriced ? [`${countCalls(unpricedCalls)} of unknown cost`] : []),
  ];
  return [known.join(", "), ...missing].join("; ");
}
