/** A rational number; `den` is positive. */
export interface Exact {
  readonly num: bigint;
  readonly den: bigint;
}

/** Longer numbers, and powers of ten past it, are nobody's answer. */
const mostDigits = 1_000;
const mostExponent = 400;

/** The value of plain digits (`12`, `12.50`, `.5`). */
export function parseDecimal(digits: string): Exact | null {
  if (digits.length > mostDigits || !/^\d*\.?\d+$/.test(digits)) return null;
  const [whole, decimals = ""] = digits.split(".");
  return { num: BigInt(whole + decimals), den: 10n ** BigInt(decimals.length) };
}

export const add = (a: Exact, b: Exact): Exact => ({ num: a.num * b.den + b.num * a.den, den: a.den * b.den });

/** `null` for a division by zero. */
export const divide = (a: Exact, b: Exact): Exact | null =>
  b.num === 0n ? null : { num: a.num * b.den, den: a.den * b.num };

export const negate = ({ num, den }: Exact): Exact => ({ num: -num, den });

/** Times ten to the power of `exponent`. */
export function shift({ num, den }: Exact, exponent: number): Exact | null {
  if (Math.abs(exponent) > mostExponent) return null;
  const power = 10n ** BigInt(Math.abs(exponent));
  return exponent < 0 ? { num, den: den * power } : { num: num * power, den };
}

/** The one way to write a value: `72`, `-0.5` where the decimals end, else the reduced fraction `1/3`. */
export function format({ num, den }: Exact): string {
  const sign = num < 0n ? "-" : "";
  const divisor = greatestDivisor(num < 0n ? -num : num, den);
  const top = (num < 0n ? -num : num) / divisor;
  const bottom = den / divisor;
  const [twos, afterTwos] = countFactor(bottom, 2n);
  const [fives, rest] = countFactor(afterTwos, 5n);
  if (rest !== 1n) return `${sign}${top}/${bottom}`;
  const places = Math.max(twos, fives);
  const digits = ((top * 10n ** BigInt(places)) / bottom).toString().padStart(places + 1, "0");
  return places === 0 ? `${sign}${digits}` : `${sign}${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

function greatestDivisor(a: bigint, b: bigint): bigint {
  let [x, y] = [a, b];
  while (y > 0n) [x, y] = [y, x % y];
  return x;
}

function countFactor(value: bigint, factor: bigint): [count: number, rest: bigint] {
  let [count, rest] = [0, value];
  while (rest % factor === 0n) {
    rest /= factor;
    count++;
  }
  return [count, rest];
}
