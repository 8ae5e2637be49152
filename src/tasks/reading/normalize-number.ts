import { findNumbers } from "./number-tokens.ts";
import { undressNumbers } from "./undress-numbers.ts";

const longestToken = 2_000;
const prefix = /^[\s(['’]*(?:[A-Z]{3}\s)?$/;
const unit = /^\s?-?(?:\p{L}[\p{L}.²³'’/^-]{0,30}\s{0,2}){0,6}[\s)\].,!?:;'’]*$/u;

/**
 * The normal form of one number however it is written, or `null` when `token` is not just one number: no separators of
 * thousands, no trailing zeros, a fraction as decimal where its decimals end (`3/4` → `0.75`, `2/6` → `1/3`), without
 * currency, percent sign or unit (`$1,234.50 per week` → `1234.5`). Exact: nothing is rounded.
 */
export function normalizeNumber(token: string): string | null {
  if (token.length > longestToken) return null;
  const text = undressNumbers(token);
  const [number, ...others] = findNumbers(text);
  if (number === undefined || others.length > 0 || number.values.length !== 1) return null;
  const isAlone = prefix.test(text.slice(0, number.start)) && unit.test(text.slice(number.end));
  return isAlone ? number.values[0] : null;
}
