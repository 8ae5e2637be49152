import { add, type Exact, format, negate } from "./exact-number.ts";

const small =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(
    " ",
  );
const tens = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");
const units = new Map<string, bigint>([
  ...small.map((word, i) => [word, BigInt(i)] as const),
  ...tens.map((word, i) => [word, BigInt(20 + 10 * i)] as const),
  ["dozen", 12n],
]);
const scales = new Map([
  ["thousand", 1_000n],
  ["million", 1_000_000n],
  ["billion", 1_000_000_000n],
  ["trillion", 1_000_000_000_000n],
]);
const denominators = new Map([
  ...["half", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"].map(
    (word, i) => [word, BigInt(i + 2)] as const,
  ),
  ["quarter", 4n],
]);

const word = `(?:${[...units.keys(), "hundred", ...scales.keys()].join("|")})`;
/** `three quarters`, `one-third`; "a third" is more often the one behind the second. */
const share = `(?:a(?=\\s+(?:half|quarter))|${small.slice(1, 10).join("|")})(?:\\s+|-)(?:halves|(?:${[...denominators.keys()].join("|")})s?)`;
const numeral = new RegExp(
  `(?<![\\p{L}-])(?:(negative|minus)\\s+)?(?:(${share})|(?:(?:a|an)\\s+(?=hundred|thousand|million|billion|trillion|dozen))?(${word}(?:(?:\\s*-\\s*|\\s+and\\s+|\\s+|,\\s+)${word})*)(?:\\s+and\\s+(${share}))?)(?![\\p{L}-])`,
  "iu",
);

/**
 * The first English numeral in a text, in normal form: `seventy-two`, `minus five`, `two and a half`, `one-third`, `a dozen`. `null` when
 * there is none, or when its words make no number ("twenty thirty").
 */
export function readNumberWords(text: string): { value: string; text: string; start: number; end: number } | null {
  const match = numeral.exec(text);
  if (match === null) return null;
  const [all, minus, only, words = "zero", part] = match;
  const whole = toInteger(
    words
      .toLowerCase()
      .split(/[\s,-]+/)
      .filter((one) => one !== "and"),
  );
  if (whole === null) return null;
  const fraction = only ?? part;
  const value = add({ num: whole, den: 1n }, fraction === undefined ? { num: 0n, den: 1n } : toShare(fraction));
  return { value: format(minus ? negate(value) : value), text: all, start: match.index, end: match.index + all.length };
}

function toShare(words: string): Exact {
  const [count, name] = words.toLowerCase().split(/[\s-]+/);
  const den = denominators.get(name.replace(/^halves$/, "half").replace(/s$/, ""))!;
  return { num: units.get(count) ?? 1n, den };
}

function toInteger(words: readonly string[]): bigint | null {
  let total = 0n;
  let group = 0n;
  let last = 0n;
  for (const one of words) {
    const unit = units.get(one);
    const scale = scales.get(one);
    if (one === "hundred") group = (group === 0n ? 1n : group) * 100n;
    else if (one === "dozen") group = (group === 0n ? 1n : group) * 12n;
    else if (scale !== undefined) {
      total += (group === 0n ? 1n : group) * scale;
      group = 0n;
    } else if (unit !== undefined) {
      // "twenty two" and "hundred two" go on, "two three" and "twenty thirty" do not.
      if (group % 100n !== 0n && !(group % 10n === 0n && last >= 20n && unit < 10n && unit > 0n)) return null;
      group += unit;
    }
    last = unit ?? 100n;
  }
  return total + group;
}
