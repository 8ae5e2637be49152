import type { Rng } from "../base/rng.ts";

/** How many wrong numbers a question has at most: one for each agent of a usual team. */
const most = 6;

/**
 * Numbers that a slip could have led to: one more or less, doubled, halved, a zero too many, two digits swapped. In normal
 * form, each once, never `gold`, and negative only where it is. Without a gold number any number is as wrong as another.
 */
export function wrongNumbers(gold: string | null, rng: Rng): string[] {
  const value = readDecimal(gold ?? String(2 + rng.fork("any").integer(198)));
  if (value === undefined) return [];
  const { units, places } = value;
  const one = 10n ** BigInt(places);
  const size = units < 0n ? -units : units;
  const slips = [size + one, size - one, size * 2n, size * 10n, size + 10n * one, size - 10n * one, size + 2n * one];
  if (size % 2n === 0n) slips.push(size / 2n);
  slips.push(...swapNeighbours(size));
  const wrong = new Set(slips.filter((slip) => slip >= 0n && slip !== size));
  const shuffled = rng
    .fork("order")
    .shuffle([...wrong])
    .slice(0, most);
  return shuffled.map((slip) => writeDecimal(units < 0n ? -slip : slip, places));
}

/** A decimal number as a whole number of units of its last place. */
function readDecimal(text: string): { units: bigint; places: number } | undefined {
  const parts = /^(-?)(\d{1,60})(?:\.(\d{1,60}))?$/.exec(text.trim());
  if (parts === null) return undefined;
  const [, sign, whole, fraction = ""] = parts;
  const size = BigInt(whole + fraction);
  return { units: sign === "-" ? -size : size, places: fraction.length };
}

/** Normal form: no leading or trailing zeros, no bare point, no minus zero. */
function writeDecimal(units: bigint, places: number): string {
  const sign = units < 0n ? "-" : "";
  const digits = (units < 0n ? -units : units).toString().padStart(places + 1, "0");
  const whole = digits.slice(0, digits.length - places);
  const fraction = digits.slice(digits.length - places).replace(/0+$/, "");
  return sign + whole + (fraction === "" ? "" : `.${fraction}`);
}

function swapNeighbours(size: bigint): bigint[] {
  const digits = size.toString();
  return Array.from({ length: digits.length - 1 }, (_, i) => i)
    .filter((i) => !(i === 0 && digits[1] === "0"))
    .map((i) => BigInt(digits.slice(0, i) + digits[i + 1] + digits[i] + digits.slice(i + 2)));
}
