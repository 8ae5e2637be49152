import type { Reading } from "../contracts/task.ts";
import { optionLetter } from "../contracts/task.ts";
import { normalizeText } from "./choice.ts";
import { findMarks, type Mark } from "./option-marks.ts";

/** A reply made ready for the readers. */
interface Reply {
  /** Without emphasis, quotes and LaTeX wrappers. */
  readonly text: string;
  /** As it came (capped). */
  readonly raw: string;
  readonly options: readonly string[];
  readonly marks: readonly Mark[];
  /** Marks that begin a line, where several letters do: a list of options. */
  readonly listed: ReadonlySet<Mark>;
  readonly count: number;
}

/** The letters a reader finds: none (ask the next one), one (the answer), or several of equal standing (ambiguous). */
type Reader = (reply: Reply) => readonly string[];

/** Readers in order of trust: the first that finds anything decides. */
const readers: Readonly<Record<string, Reader>> = {
  /** `… so \boxed{\text{E}}` */
  lastBox: (reply) => readBox(reply),
  /** `d`, `**B**`, `(C).` */
  wholeReply: ({ text, marks: [mark, ...others] }) =>
    mark &&
    others.length === 0 &&
    isFiller(text.slice(0, mark.start).replace(/^(?:option|choice|letter|answer)\b/i, "")) &&
    isFiller(text.slice(mark.end))
      ? mark.letters
      : [],
  /** `… which is why. (B)`, or a letter alone on the last line. */
  closingMark: ({ text, marks }) => {
    const mark = marks.at(-1);
    if (mark === undefined || !isFiller(text.slice(mark.end)) || mark.word) return [];
    const before = text.slice(Math.max(0, mark.start - 20), mark.start);
    return /(?:^|\n)\s*$/.test(before) || (mark.bracketed && /[.?!:;)\]]\s*$/.test(before)) ? mark.letters : [];
  },
  /** `The answer is B.`, `Answer: A`, `(C) is correct`, `I choose D`: the last one that is not somebody else's. */
  statement: (reply) => {
    const stated = reply.marks.filter((mark, index) => !mark.word && isStated(reply, mark, reply.marks[index - 1]));
    const own = stated.filter((mark) => !reported.test(reply.text.slice(Math.max(0, mark.start - 160), mark.start)));
    return (own.at(-1) ?? stated.at(-1))?.letters ?? [];
  },
  /** `b. 4`, `B) red light` at the start, unless it begins a list. */
  leadingMark: (reply) => {
    const [mark] = reply.marks;
    if (mark === undefined || mark.start > 0 || mark.word || reply.listed.has(mark) || isDenied(reply, mark)) return [];
    return mark.bracketed || /^\s*[.:,;\n–—-]/.test(reply.text.slice(mark.end)) ? mark.letters : [];
  },
  /** The last `(B)` anywhere; the items of a list only when there is nothing else, and then all alike. */
  lastBracketed: (reply) => {
    const bracketed = reply.marks.filter((mark) => mark.bracketed && isLegal(reply, mark) && !isDenied(reply, mark));
    const last = bracketed.filter((mark) => !reply.listed.has(mark)).at(-1);
    return last?.letters ?? distinct(bracketed);
  },
  /** `Paris.`, `The answer is Paris.` */
  optionText: (reply) => readOptionText(reply),
  /** Capitals that stand alone: `So B`, `option C`. */
  loneLetter: (reply) =>
    distinct(
      reply.marks.filter((mark) => mark.upperCase && !mark.word && isLegal(reply, mark) && !isDenied(reply, mark)),
    ),
};

/**
 * Reads the option letter a reply settles on. A stated answer beats letters that are only mentioned; English "I" and "a"
 * are never letters; letters past the last option are no answer; letters of equal standing make the reply `ambiguous`.
 * Time is linear in the reply; of a very long one the beginning and the end are read.
 *
 * @param options how many options there are, or (better) their texts
 */
export function readChoice(text: string, options: number | readonly string[]): Reading {
  const raw = cap(text.trim());
  if (raw === "") return { status: "empty", answer: null };
  const texts =
    typeof options === "number"
      ? []
      : options.map((option) => clean(option.slice(0, longestOption)).replace(/\.+$/, ""));
  const count = typeof options === "number" ? options : options.length;
  // Models asked for the form "(X)" like to repeat it as it is.
  const plain = count < 24 ? clean(raw.replace(/\(\s*X\s*\)/gi, "")) : clean(raw);
  const marks = findMarks(plain, texts).filter(
    (mark) => mark.letters.some((letter) => isInRange(letter, count)) || isStray(mark),
  );
  const reply: Reply = { text: plain, raw, options: texts, marks, listed: findList(plain, marks), count };
  for (const read of Object.values(readers)) {
    const letters = read(reply);
    const legal = letters.filter((letter) => isInRange(letter, count));
    if (legal.length > 1) return { status: "ambiguous", answer: null, candidates: legal };
    if (legal.length === 1) return { status: "parsed", answer: legal[0] };
    if (letters.length > 0) break;
  }
  return { status: refusal.test(plain) ? "refused" : "unparsed", answer: null };
}

/** A letter past the last option that was meant as one ("Answer: E" of four): no answer, but it stands in the place of one. */
function isStray(mark: Mark): boolean {
  return mark.upperCase && mark.letters[0] <= "J";
}

const refusal =
  /\b(?:(?:can['’]t|cannot|can not|unable to|not able to|won['’]t|will not|decline to|refuse to) (?:\w+ly )?(?:answer|help|assist|provide|comply|respond|fulfil|choose|select)|not qualified to|i apologi[sz]e, but|i['’]m sorry, but)/i;

const headLength = 4_000;
const tailLength = 16_000;
const longestOption = 2_000;

function cap(text: string): string {
  if (text.length <= headLength + tailLength) return text;
  return `${text.slice(0, headLength)}\n…\n${text.slice(-tailLength)}`;
}

/** Takes off what only dresses a text: hidden thoughts, struck-out words, emphasis, quotes, LaTeX and HTML wrappers. */
function clean(text: string): string {
  const thoughts = text.lastIndexOf("</think>");
  const spoken = thoughts >= 0 && text.slice(thoughts + 8).trim() !== "" ? text.slice(thoughts + 8) : text;
  return spoken
    .normalize("NFKC")
    .replace(/[\u200B-\u200D\u2060\uFEFF]/g, "")
    .replace(/~~[^~\n]{1,200}~~/g, "")
    .replace(/<\/?(?:b|i|u|p|em|br|strong|span|code|div)\s?\/?>/g, "")
    .replace(/\\(?:text(?:bf|rm|it|tt)?|math(?:bf|rm|it)|bf|rm|boxed|fbox|mbox|emph)\b\s*/g, "")
    .replace(/\\[()[\]]/g, "")
    .replace(/[*`$"“”«»]|(?<![\p{L}\p{N}])['‘’_]+|['‘’_]+(?![\p{L}\p{N}])/gu, "")
    .replace(/^[#>\t ]+/gm, "")
    .replace(/(?<=\p{L}{2})_(?=\p{L}{2})/gu, " ")
    .replace(/\{\s*([A-Za-z])\s*\}/g, "($1)")
    .trim();
}

const beVerb = "(?:is|was|are|be|being|remains?|becomes?|seems?|appears?)";
const link =
  "(?:the|to|be|been|is|as|that|it|still|indeed|therefore|thus|clearly|definitely|actually|simply|likely|most|probably|now|also|in fact|correct|right|best|following|option|choice|letter|answer|solution|both|either|would|should|must|will|can|could|remains?|seems?|appears?)";
const cue =
  "(?:answer|ans|choice|option|letter|response|selection|solution|conclusion|verdict|correct|right|best|accurate|appropriate|suitable|statement|one)s?";
const deciding =
  "(?:choose|chose|select|selected|pick|picked|go with|going with|opt for|opted for|settle on|vote for|conclude|say|favou?r|lean towards?|leaning towards?)";
const inBetween = `(?:${link}\\b[\\s,:]*){0,6}[\\s(\\[<:]*$`;
/** Ends right before the letter: a cue and then "is" or a colon in the same sentence, or a deciding verb. */
const statedBefore = new RegExp(
  `\\b(?:${cue}\\b[^.!?\\n]{0,120}\\b${beVerb}\\b[\\s,:]*|${cue}\\s*(?:\\(s\\))?\\s*[:=>→-]\\s*|${deciding}\\s+)${inBetween}`,
  "i",
);
const concluding = /\b(?:therefore|thus|hence|so)\b[\s,:]*(?:it(?: is|['’]s) )?[(\s]*$/i;
const praise = "(?:correct|right|best|accurate|appropriate|suitable|compelling|convincing|fitting|precise|plausible)";
const statedAfter = new RegExp(
  `^[\\s,.:)]*(?:(?:is|as|being|seems|remains|appears|stands out|would|should|must|to|be|indeed|clearly|still|therefore|likely)\\s+){0,4}(?:(?:correct|right)\\b|(?:the|my|a)\\s+(?:\\w+\\s+){0,3}(?:${praise}|answer)\\b)`,
  "i",
);
/** What others say, or what would be if: weaker than what the reply says itself. */
const reported =
  /\b(?:if|mistake|(?:some|many|others?|students?|people|agents?|one|you|they|he|she)\s+(?:\w+\s+){0,2}(?:think|say|claim|argue|believe|suggest|state)(?:s|d|ed)?)\b[^.!?\n]*$/i;
const deniedBefore =
  /\b(?:not|isn['’]t|aren['’]t|never|nor|neither|than|unlike|instead of|except|eliminat(?:e|es|ed|ing)|rul(?:e|es|ed|ing) out|reject(?:s|ed|ing)?|against)\b[\s,:]*(?:(?:the|be|options?|choices?|answers?)\s+)*[\s(]*$/i;
const deniedAfter = new RegExp(
  `^[\\s,.:)]*(?:(?:is|are|was|were|be|can|would|seems?)\\s+){1,2}(?:\\w+\\s+)?(?:(?:not|n['’]t)\\s+(?:(?:the|a|an|as|fully|entirely|quite)\\s+){0,2}(?:${praise}|answer|option|choice|supported)|incorrect|wrong|false|inaccurate|eliminated|ruled out|distractors?)\\b|^[\\s,]*(?:isn|aren)['’]t\\b`,
  "i",
);

function isStated(reply: Reply, mark: Mark, previous: Mark | undefined): boolean {
  const { text } = reply;
  const before = text.slice(Math.max(previous?.end ?? 0, mark.start - 200, 0), mark.start);
  const after = text.slice(mark.end, mark.end + 80);
  const stated =
    statedBefore.test(before) ||
    ((mark.upperCase || mark.bracketed) && statedAfter.test(after)) ||
    (concluding.test(before) && /^\s*(?:[.!\n]|$)/.test(after));
  return stated && !isDenied(reply, mark) && !reply.listed.has(mark);
}

function isDenied({ text }: Reply, mark: Mark): boolean {
  return (
    deniedBefore.test(text.slice(Math.max(0, mark.start - 40), mark.start)) ||
    deniedAfter.test(text.slice(mark.end, mark.end + 80))
  );
}

function findList(text: string, marks: readonly Mark[]): ReadonlySet<Mark> {
  const starting = marks.filter(
    (mark) =>
      (mark.bracketed || /^[.:]/.test(text.slice(mark.end, mark.end + 1))) &&
      /(?:^|\n)[-•\s]*$/.test(text.slice(Math.max(0, mark.start - 8), mark.start)),
  );
  return new Set(distinct(starting).length > 1 ? starting : []);
}

function isFiller(text: string): boolean {
  return text.length < 40 && /^[\s.:,;!()[\]{}-]*$/.test(text);
}

function isInRange(letter: string, count: number): boolean {
  return letter.charCodeAt(0) - 65 < count;
}

function isLegal({ count }: Reply, mark: Mark): boolean {
  return mark.letters.some((letter) => isInRange(letter, count));
}

function distinct(marks: readonly Mark[]): string[] {
  return [...new Set(marks.flatMap((mark) => mark.letters))];
}

function readBox({ raw, options }: Reply): readonly string[] {
  const content = lastBalancedBox(raw);
  if (content === undefined) return [];
  const text = clean(content);
  const [mark, ...others] = findMarks(text, options);
  // A letter, perhaps with its option text, or the only one in a phrase.
  if (mark && !mark.word && (mark.start <= 1 || others.length === 0)) return mark.letters;
  return sameOption(text, options);
}

/** The content of the last `\boxed{…}` whose braces close. */
function lastBalancedBox(text: string): string | undefined {
  const open: number[] = [];
  let box: string | undefined;
  for (let i = 0; i < text.length; i++) {
    if (text[i] === "{") open.push(i);
    else if (text[i] === "}" && open.length > 0) {
      const start = open.pop()!;
      if (text.startsWith("\\boxed", start - 6)) box = text.slice(start + 1, i);
    }
  }
  return box;
}

function readOptionText({ text, options }: Reply): readonly string[] {
  const whole = sameOption(text, options);
  if (whole.length > 0) return whole;
  const said = new RegExp(`\\b${cue}\\b[^.!?\\n]{0,60}?(?:\\b${beVerb}\\b|:)\\s*(.{1,400})`, "gi");
  const last = [...text.matchAll(said)].at(-1)?.[1];
  return last === undefined ? [] : sameOption(last.replace(/[.!]\s.*$/, ""), options);
}

function sameOption(text: string, options: readonly string[]): readonly string[] {
  if (text.length > longestOption) return [];
  const normal = (value: string) =>
    normalizeText(value)
      .replace(/[.,;:!]+$/, "")
      .replace(/^(?:the|an?) /, "");
  const found = options.flatMap((option, index) =>
    normal(option) !== "" && normal(option) === normal(text) ? [optionLetter(index)] : [],
  );
  return found.length === 1 ? found : [];
}
