/** The part of fetch's `Headers` that is read here. */
export interface ReadableHeaders {
  get(name: string): string | null | undefined;
}

/**
 * How long a server asks to be left alone, in milliseconds ≥ 0; `undefined` where it says nothing readable.
 * In this order: `retry-after-ms: 1500`, `retry-after: 2` or `2.5` (seconds), `retry-after: <HTTP date>`, and where
 * `limited` (status 429) the reset of a spent limit, `x-ratelimit-reset-requests: 6m0s` and `-tokens`.
 * A date that has passed is 0; negative and garbled values say nothing.
 *
 * @param nowMs milliseconds since the epoch, which dates are relative to
 */
export function readRetryAfter(headers: ReadableHeaders, nowMs: number, limited = false): number | undefined {
  const wait =
    readNumber(headers.get("retry-after-ms"), 1) ??
    readNumber(headers.get("retry-after"), 1000) ??
    readDate(headers.get("retry-after"), nowMs);
  return wait ?? (limited ? readReset(headers) : undefined);
}

function readNumber(text: string | null | undefined, unitMs: number): number | undefined {
  return text != null && /^\s*\d+(?:\.\d+)?\s*$/.test(text) ? Math.round(Number(text) * unitMs) : undefined;
}

/** Dates have a month or at least dashes in them: `Date.parse` also takes `-5` for one. */
function readDate(text: string | null | undefined, nowMs: number): number | undefined {
  if (text == null || !/[a-z]{3}\b.*\d{4}|^\s*\d{4}-\d\d-\d\dT/i.test(text)) return undefined;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs);
}

/** The longest reset among the limits that are spent, or the longest of all where none says how much is left. */
function readReset(headers: ReadableHeaders): number | undefined {
  const limits = ["requests", "tokens"].map((kind) => ({
    left: headers.get(`x-ratelimit-remaining-${kind}`),
    resetMs: readDuration(headers.get(`x-ratelimit-reset-${kind}`)),
  }));
  const spent = limits.filter(({ left }) => left != null && Number(left) <= 0);
  const resets = (spent.length > 0 ? spent : limits).flatMap(({ resetMs }) => (resetMs === undefined ? [] : [resetMs]));
  return resets.length > 0 ? Math.max(...resets) : undefined;
}

const unitsMs: Readonly<Record<string, number>> = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000, ms: 1 };

/** `1s`, `6m0s`, `1h2m3.5s`, `20ms`. */
function readDuration(text: string | null | undefined): number | undefined {
  const word = text?.trim() ?? "";
  if (!/^(?:\d+(?:\.\d+)?(?:ms|[dhms]))+$/.test(word)) return undefined;
  const parts = [...word.matchAll(/(\d+(?:\.\d+)?)(ms|[dhms])/g)];
  return Math.round(parts.reduce((sum, [, amount, unit]) => sum + Number(amount) * unitsMs[unit], 0));
}
