import { add, divide, type Exact, format, negate, parseDecimal, shift } from "./exact-number.ts";

/** A number in a text. */
export interface NumberToken {
  /** In normal form. None where the number is part of a larger term (`5\sqrt{3}`, `2^5`), several for `1,2` and `±5`. */
  readonly values: readonly string[];
  /** From its sign … */
  readonly start: number;
  /** … to behind its percent sign or magnitude, before its unit. */
  readonly end: number;
  /** More a name than a quantity: `Step 2`, `2.` before an item, `5th`, `3-year`, `clips[1]`. */
  readonly weak: boolean;
}

const letter = "\\p{Script=Latin}\\p{Script=Greek}\\p{Script=Cyrillic}";
/** Digits with whatever joins them, thousands after a space included; not inside a word, an identifier, or `fig.5`. */
const run = new RegExp(
  `(?<![${letter}\\p{N}_\\\\]|[${letter}][-‐–.'’]|[${letter}]\\s?\\^\\s?[-+]?|\\d[.,:'’]|\\d )(?:\\d{1,3}(?: \\d{3})+(?![\\d/]| ?\\d)(?:[.,]\\d+)?|(?:\\d|\\.\\d)(?:[.,:'’_]?\\d)*)`,
  "gu",
);
const label =
  /\b(?:agent|case|chapter|confidence|equation|eq|example|exercise|figure|fig|line|method|approach|note|option|page|part|problem|question|round|section|solution|stage|step|table|version)(?:s?\s?[#(.]?|\s?:)\s?$/i;
const magnitudes: Readonly<Record<string, number>> = {
  hundred: 2,
  thousand: 3,
  k: 3,
  million: 6,
  mn: 6,
  billion: 9,
  bn: 9,
  trillion: 12,
};

/** All numbers in `text` (see `undressNumbers`), in order; dates, times and version numbers are none. Linear in time. */
export function findNumbers(text: string): NumberToken[] {
  const tokens: NumberToken[] = [];
  const hasList = /^\s*\(?1[.):]/m.test(text);
  let from = 0;
  for (const match of text.matchAll(run)) {
    if (match.index < from) continue;
    const token = readToken(text, match.index, match[0], hasList);
    from = typeof token === "number" ? token : token.end;
    if (typeof token !== "number") tokens.push(token);
  }
  return tokens;
}

/** The token, or (a date, an identifier) where to go on. */
function readToken(text: string, at: number, digits: string, hasList: boolean): NumberToken | number {
  let end = at + digits.length;
  const rest = (length: number) => text.slice(end, end + length);
  const take = (pattern: RegExp): RegExpExecArray | null => {
    const match = pattern.exec(rest(60));
    if (match !== null) end += match[0].length;
    return match;
  };
  if (take(/^(?:[-/]\d{1,4}){2,}/) ?? take(new RegExp(`^(?![eE][-+]?\\d)[${letter}]+\\d[${letter}\\d]*`, "u")))
    return end;
  const list = parseList(digits);
  if (list === null) return end;
  let value: Exact | null = list[0];
  const power = take(/^\s?\^\s?\(?([-+]?\d{1,4})\)?/);
  if (power !== null) value = digits === "10" ? shift({ num: 1n, den: 1n }, Number(power[1])) : null;
  const scientific = power
    ? null
    : (take(/^[eE]([-+]?\d{1,20})(?![\d\p{L}])/u) ?? take(/^\s?[×xX*·]\s?10\s?\^\s?\(?([-+]?\d{1,4})\)?/));
  if (scientific !== null && value !== null) value = shift(value, Number(scientific[1]));
  const mixed = /^\d+$/.test(digits) ? take(/^(?:\s|\sand\s)(\d{1,40})\/(\d{1,40})(?![\d/])/) : null;
  const divided = mixed ? null : take(/^\s?\/\s?(\d{1,40}(?:\.\d{1,40})?)(?![\d/]|[.,]\d)/);
  if (mixed !== null && value !== null) value = sum(value, quotient(parseDecimal(mixed[1]), parseDecimal(mixed[2])));
  if (divided !== null) value = quotient(value, parseDecimal(divided[1]));
  const magnitude = take(/^(?:k(?![\p{L}\p{N}])|\s?-?(?:hundred|thousand|million|mn|billion|bn|trillion)(?!\p{L}))/iu);
  if (magnitude !== null && value !== null)
    value = shift(value, magnitudes[magnitude[0].replace(/[\s-]/g, "").toLowerCase()]);
  const { start, sign } = readSign(text, at);
  const weak = isLabel(text, start, end, hasList);
  const isPart =
    value === null ||
    /^\.?\s?\\(?:overline|dot|bar)|^\s?\*?\s?(?:√|π|\\(?:sqrt|pi)|\^|pi\b)/.test(rest(12)) ||
    /(?:√|\\[a-z]+)\s?\(?$/i.test(text.slice(Math.max(0, start - 12), start));
  take(/^\s?%/);
  if (isPart || value === null) return { values: [], start, end, weak };
  const all = list.length > 1 ? list : sign === "±" ? [value, negate(value)] : [sign === "-" ? negate(value) : value];
  return { values: [...new Set(all.map(format))], start, end, weak };
}

/**
 * The value of digits as they are joined: thousands (`8,000`, `1,23,456`, `1'234`, `1_000`, `1 234`), decimals, and the
 * European `1.234,5` and `1.234.567` where the dots cannot be anything else; `1.234` is a decimal, `1,2` is a list of two.
 */
function parseList(digits: string): Exact[] | null {
  const plain = plainDigits(digits);
  if (plain !== null) {
    const value = parseDecimal(plain);
    return value && [value];
  }
  const items = digits.split(",").map(plainDigits);
  if (items.length < 2 || items.length > 100) return null;
  const values = items.flatMap((item) => (item === null ? [] : (parseDecimal(item) ?? [])));
  if (values.length !== items.length) return null;
  // Elsewhere the comma of `1,2` is a decimal one.
  const decimal = items.length === 2 ? parseDecimal(items.join(".")) : null;
  return decimal === null ? values : [...values, decimal];
}

function plainDigits(digits: string): string | null {
  if (/^\d*\.?\d+$/.test(digits)) return digits;
  if (/^\d{1,3}(?:([ '’_])\d{3})(?:\1\d{3})*(?:[.,]\d+)?$/.test(digits))
    return digits.replace(/[ '’_]/g, "").replace(",", ".");
  if (/^\d+(?:_\d+)+$/.test(digits)) return digits.replaceAll("_", "");
  if (/^\d{1,3}(?:,\d{3})+(?:\.\d+)?$|^\d{1,2}(?:,\d{2})+,\d{3}(?:\.\d+)?$/.test(digits))
    return digits.replaceAll(",", "");
  if (/^\d{1,3}(?:\.\d{3})+,\d+$|^\d{1,3}(?:\.\d{3}){2,}$/.test(digits))
    return digits.replaceAll(".", "").replace(",", ".");
  return null;
}

const sum = (a: Exact, b: Exact | null): Exact | null => b && add(a, b);
const quotient = (a: Exact | null, b: Exact | null): Exact | null => a && b && divide(a, b);

/** A minus joins two numbers (`10-5`, `10 -5`) or a word and a number (`step-5`) unless nothing of the kind stands before it. */
function readSign(text: string, at: number): { start: number; sign: string } {
  const before = text.slice(Math.max(0, at - 16), at);
  const joined = /([-+±])$/.exec(before) ?? /(?:[=:(≈]|\bis)[ \t]*([-+±])[ \t]+$/.exec(before);
  if (joined !== null) {
    const start = at - (before.length - before.lastIndexOf(joined[1]));
    const previous = /[^ \t]?[ \t]*$/.exec(text.slice(Math.max(0, start - 8), start))![0];
    const isBinary = /^[\p{N})\]%]/u.test(previous) || /^[\p{L}_]$/u.test(previous) || /^[-+]$/.test(previous);
    return isBinary ? { start: at, sign: "" } : { start, sign: joined[1] };
  }
  const word = /\bnegative\s$|(?:^|[=:(]|\b(?:is|was|get|answer))\s?minus\s$/i.exec(before);
  return word === null
    ? { start: at, sign: "" }
    : { start: at - word[0].length + word[0].search(/negative|minus/i), sign: "-" };
}

function isLabel(text: string, start: number, end: number, hasList: boolean): boolean {
  const before = text.slice(Math.max(0, start - 24), start);
  const after = text.slice(end, end + 6);
  return (
    label.test(before) ||
    /[\p{L}\p{N}.]\[$/u.test(before) ||
    /^(?:st|nd|rd|th)\b|^-\p{L}/u.test(after) ||
    (hasList && /(?:^|\n)\s*\(?$/.test(before) && /^[.):]\s+\S/.test(after))
  );
}
