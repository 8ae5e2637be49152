import { invisible } from "./dressing.ts";

const zeros = [0x660, 0x6f0, 0x966, 0x9e6];

/**
 * A text in which numbers stand plainly: one kind of minus sign and of digits, thousands separated by commas, fractions
 * as `3/4`, powers as `10^3`, without LaTeX, emphasis, currency signs and calculator notes (`<<48/2=24>>`).
 */
export function undressNumbers(text: string): string {
  return plainMarkup(plainMath(plainCharacters(text)));
}

function plainCharacters(text: string): string {
  return text
    .replace(/[¼-¾⅐-⅞↉]/g, (fraction) => ` ${fraction.normalize("NFKC").replace("\u2044", "/")}`)
    .replace(/[⁺⁻]?[⁰¹²³⁴-⁹]+/g, (power) => `^${power.normalize("NFKC")}`)
    .replace(/(?<=\d)[\u00A0\u2007\u2009\u202F](?=\d{3}(?!\d))/g, ",")
    .normalize("NFKC")
    .replace(invisible, "")
    .replace(/[٠-٩۰-۹०-९০-৯]/g, (digit) => {
      const code = digit.charCodeAt(0);
      return String(code - zeros.findLast((zero) => zero <= code)!);
    })
    .replace(/٬/g, ",")
    .replace(/٫/g, ".")
    .replace(/\u2044/g, "/")
    .replace(/\u2212/g, "-")
    .replace(/(?<=^|[\s(=:])[‒–](?=\.?\d)/gm, "-");
}

const fraction = /\\[dtc]?frac\s*(?:\{\s*([-+]?)\s*([\d.,]{1,40})\s*\}|(\d))\s*(?:\{\s*([\d.,]{1,40})\s*\}|(\d))/g;
const signs: readonly (readonly [RegExp, string])[] = [
  [/\{([,.])\}/g, "$1"],
  [/(?<=\d),?(?:\\[,!;: ]|~)+,?(?=\d{3}(?!\d))/g, ","],
  [
    /\\(?:[,!;:> ()[\]]|(?:quad|qquad|left|right|displaystyle|implies|Rightarrow|rightarrow|therefore)(?![A-Za-z]))/g,
    " ",
  ],
  [/\\times(?![a-z])/g, "×"],
  [/\\cdot(?![a-z])/g, "*"],
  [/\\div(?![a-z])/g, "÷"],
  [/\\(?:approx|simeq|sim|equiv)(?![a-z])/g, "≈"],
  [/\\pm(?![a-z])/g, "±"],
  [/\^\s?(?:\\circ(?![a-z])|\{\s?\\circ\s?\})|°/g, " "],
  [/\^\s?\{\s?([-+]?\d{1,9})\s?\}/g, "^$1"],
  [/<sup>\s?([-+]?\d{1,9})\s?<\/sup>/g, "^$1"],
  [/\\([%$#&])/g, "$1"],
  [/\\(?:text\w{0,9}|math\w{0,9}|boxed|fbox|mbox|bf|rm|emph|underline|operatorname)(?![A-Za-z])/g, ""],
  [/-\{/g, "-"],
  [/[{}]/g, " "],
];

function plainMath(text: string): string {
  const divided = text.replace(fraction, (_, sign, top, shortTop, bottom, shortBottom, at: number, whole: string) => {
    const gap = /[-+]/.test(whole[at - 1] ?? "") ? "" : " ";
    return `${gap}${sign ?? ""}${top ?? shortTop}/${bottom ?? shortBottom} `;
  });
  return signs.reduce((plain, [from, to]) => plain.replace(from, to), divided);
}

function plainMarkup(text: string): string {
  return (
    text
      .replace(/<<[^<>\n]{0,200}>>/g, "")
      .replace(/~~[^~\n]{1,200}~~/g, "")
      .replace(/<\/?(?:b|i|u|p|em|br|strong|span|code|div)\s?\/?>/g, "")
      .replace(/(?<=\d)\*\*(?=\d)/g, "^")
      .replace(/\*\*|[`"“”„«»「」『』]/g, "")
      .replace(/(?<![\d\s)])\*|\*(?![\d\s(])/g, "")
      .replace(/(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}])/gu, "")
      .replace(/^[#>\t ]+/gm, "")
      // A comma before two digits is a decimal one where the money says so.
      .replace(/(?<=€\s?\d{1,9}),(?=\d{2}(?!\d))|(?<=(?<![.,\d])\d{1,9}),(?=\d{2}\s?€)/g, ".")
      .replace(/(?<=\$\s?\d{1,9}(?:[.,]\d{1,9})?)([MB])(?![\p{L}\p{N}])/gu, (_, size) =>
        size === "M" ? " million" : " billion",
      )
      .replace(/(?<=\d)[$€£¥₹₩₽₺₫¢฿](?=\d)/g, " ")
      .replace(/(?:\b(?:US|AU|CA|NZ|HK|[ACRS]))?\$|[€£¥₹₩₽₺₫¢฿]|\bRs\b\.?(?=\s?\d)/g, "")
      .replace(/\bapprox\.(?=\s)/gi, "about")
  );
}
