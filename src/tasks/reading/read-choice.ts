import { normalizeText } from "../../base/normalize-text.ts";
import { dropThoughts, isBlank } from "../../base/thoughts.ts";
import type { Reading } from "../../contracts/task.ts";
import { optionLetter } from "../../contracts/task.ts";
import { lastBoxed } from "./boxed.ts";
import { beVerb, cue, isDenied, isReported, isStated } from "./choice-statements.ts";
import { cap, undress } from "./dressing.ts";
import { type Finding, nothing, toReading } from "./finding.ts";
import { findMarks, type Mark } from "./option-marks.ts";
import { isRefusal } from "./refusal.ts";

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
  lastBox: (reply) => readBoxes(reply),
  /** `d`, `**B**`, `(C).` */
  wholeReply: ({ text, marks: [mark, ...others] }) =>
    mark &&
    others.length === 0 &&
    isFiller(text.slice(0, mark.start).replace(leadIn, "")) &&
    isFiller(text.slice(mark.end))
      ? mark.letters
      : [],
  /** `… which is why. (B)`, or a letter alone on the last line. */
  closingMark: ({ text, marks, listed }) => {
    const mark = marks.at(-1);
    if (mark === undefined || !isFiller(text.slice(mark.end)) || mark.word || listed.has(mark)) return [];
    const before = text.slice(Math.max(0, mark.start - 20), mark.start);
    return /(?:^|\n)\s*$/.test(before) || (mark.bracketed && /[.?!:;)\]]\s*$/.test(before)) ? mark.letters : [];
  },
  /** `The answer is B.`, `Answer: A`, `(C) is correct`, `I choose D`: the last one that is not somebody else's. */
  statement: (reply) => readStatement(reply),
  /** `A: wrong`, `B: right`, `C: wrong` */
  verdicts: (reply) => readVerdicts(reply),
  /** `b. 4`, `B) red light` at the start, unless it begins a list. */
  leadingMark: ({ text, marks: [mark], listed }) => {
    if (mark === undefined || mark.start > 0 || mark.word || listed.has(mark) || isDenied(text, mark)) return [];
    return mark.bracketed || /^\s*[.:,;\n–—-]/.test(text.slice(mark.end)) ? mark.letters : [];
  },
  /** The last `(B)` anywhere; the items of a list only when there is nothing else, and then all alike. */
  lastBracketed: ({ text, marks, listed, count }) => {
    const bracketed = marks.filter((mark) => mark.bracketed && isLegal(mark, count) && !isDenied(text, mark));
    const last = bracketed.filter((mark) => !listed.has(mark)).at(-1);
    return last?.letters ?? distinct(bracketed);
  },
  /** `Paris.`, `The answer is Paris.` */
  optionText: (reply) => readOptionText(reply),
  /** Capitals that stand alone: `So B`, `option C`. */
  loneLetter: ({ text, marks, count }) => distinct(marks.filter((mark) => isLegal(mark, count) && isNamed(text, mark))),
};

/** Words before a letter that is all there is to say. */
const leadIn =
  /^(?:i\s+(?:think|believe|guess|say)\s+(?:that\s+)?)?(?:(?:definitely|probably|clearly|surely|maybe|perhaps|so|thus|hence|therefore)\b,?\s*)?(?:it(?:['’]s| is)\s)?(?:(?:option|choice|letter|answer|ans)\b)?/i;

/**
 * Reads the option letter a reply settles on. A stated answer beats letters that are only mentioned; English "I" and "a"
 * are never letters; letters past the last option are no answer; letters of equal standing make the reply `ambiguous`.
 * Time is linear in the reply; of a very long one the beginning and the end are read.
 *
 * @param options how many options there are, or (better) their texts
 */
export function readChoice(text: string, options: number | readonly string[]): Reading {
  const spoken = dropThoughts(text);
  return isBlank(spoken) ? { status: "empty", answer: null } : toReading(findChoice(spoken, options));
}

/** As `readChoice`, of a text that is not blank and free of hidden thoughts. */
export function findChoice(text: string, options: number | readonly string[]): Finding {
  const raw = cap(text.trim());
  const texts =
    typeof options === "number"
      ? []
      : options.map((option) => undress(option.slice(0, longestOption)).replace(/\.+$/, ""));
  const count = typeof options === "number" ? options : options.length;
  // Models asked for the form "(X)" like to repeat it as it is.
  // In "A: b" the A stands for "answer".
  const plain = undress(count < 24 ? raw.replace(/\(\s*X\s*\)/gi, "") : raw).replace(
    /^A:\s+(?=\W{0,3}[A-Za-z]\W{0,3}$)/,
    "",
  );
  const marks = findMarks(plain, texts).filter((mark) => isLegal(mark, count) || isStray(mark));
  const reply: Reply = { text: plain, raw, options: texts, marks, listed: findList(plain, marks), count };
  for (const read of Object.values(readers)) {
    const letters = read(reply);
    if (letters.length === 0) continue;
    const answers = letters.filter((letter) => isInRange(letter, count));
    if (answers.length === 0) break;
    const explicit = [...readers.lastBox(reply), ...readers.statement(reply)];
    return { answers, stated: answers.every((letter) => explicit.includes(letter)) };
  }
  return { ...nothing, refused: isRefusal(plain) };
}

/** A letter past the last option that was meant as one ("Answer: E" of four): no answer, but it stands in the place of one. */
function isStray(mark: Mark): boolean {
  return mark.upperCase && mark.letters[0] <= "J";
}

const longestOption = 2_000;

function readStatement({ text, marks, listed }: Reply): readonly string[] {
  const stated = marks.filter((mark, index) => isStated(text, mark, marks[index - 1]) && !listed.has(mark));
  const own = stated.findLast((mark) => !isReported(text, mark));
  const last = stated.at(-1);
  if (own !== undefined || last === undefined) return own?.letters ?? [];
  // Only others have stated something so far: what the reply names after them may be its own.
  return distinct([last, ...marks.slice(marks.indexOf(last) + 1).filter((mark) => isNamed(text, mark))]);
}

const affirmed = /^[ \t.:,)–-]*(?:(?:is|this is)\s+)?(?:correct|right|true)\b/i;
const rejected = /^[ \t.:,)–-]*(?:(?:is|this is)\s+)?(?:incorrect|wrong|false|not)\b/i;

/** The one item of a list that is called right, where all others are called wrong; two alone may be "True" and "False". */
function readVerdicts({ text, listed }: Reply): readonly string[] {
  const behind = (mark: Mark) => text.slice(mark.end, mark.end + 40);
  const [right, ...others] = [...listed].filter((mark) => affirmed.test(behind(mark)));
  const isOnly =
    listed.size > 2 &&
    others.length === 0 &&
    [...listed].every((mark) => mark === right || rejected.test(behind(mark)));
  return right !== undefined && isOnly ? right.letters : [];
}

function findList(text: string, marks: readonly Mark[]): ReadonlySet<Mark> {
  const starting = marks.filter(
    (mark) =>
      (mark.bracketed || /^[.:]/.test(text.slice(mark.end, mark.end + 1))) &&
      /(?:^|\n)[-•\s]*$/.test(text.slice(Math.max(0, mark.start - 8), mark.start)),
  );
  // A letter alone on its line, before or behind a list whose items say something, is none of its items.
  const saying = starting.filter((mark) =>
    /^\W?[A-Za-z][ \t.:)\]}–-]*[^\s.:)\]}–-]/.test(text.slice(mark.start, mark.start + 20)),
  );
  const items = distinct(saying).length > 1 ? saying : starting;
  // One item that is said again behind its list is the answer.
  const isRepeated = items.length === distinct(items).length + 1 && items.at(-1)?.start === marks.at(-1)?.start;
  const list = isRepeated && distinct(items.slice(0, -1)).length === items.length - 1 ? items.slice(0, -1) : items;
  return new Set(distinct(list).length > 1 ? list : []);
}

/** A capital that stands for an option and is not denied. */
const isNamed = (text: string, mark: Mark): boolean => mark.upperCase && !mark.word && !isDenied(text, mark);

function isFiller(text: string): boolean {
  return text.length < 40 && /^[\s.:,;!()[\]{}|-]*$/.test(text);
}

function isInRange(letter: string, count: number): boolean {
  return letter.charCodeAt(0) - 65 < count;
}

function isLegal(mark: Mark, count: number): boolean {
  return mark.letters.some((letter) => isInRange(letter, count));
}

function distinct(marks: readonly Mark[]): string[] {
  return [...new Set(marks.flatMap((mark) => mark.letters))];
}

function readBoxes({ raw, options }: Reply): readonly string[] {
  return [...new Set(lastBoxed(raw).flatMap((content) => readBox(content, options)))];
}

function readBox(content: string, options: readonly string[]): readonly string[] {
  const text = undress(content).replace(/[{}]/g, " ").trim();
  const [mark, ...others] = findMarks(text, options);
  // A letter, perhaps with its option text, or the only one in a phrase.
  if (mark && !mark.word && (mark.start <= 1 || others.length === 0)) return mark.letters;
  return sameOption(text, options);
}

function readOptionText({ text, options }: Reply): readonly string[] {
  const whole = sameOption(text, options);
  if (whole.length > 0) return whole;
  const said = new RegExp(
    `\\b${cue}\\b[^.!?\\n]{0,60}?(?:\\b${beVerb}\\b|:)\\s*(.{1,400})|^(?:it|this|that)(?:['’]s| is)\\s+(.{1,400})`,
    "gi",
  );
  const last = [...text.matchAll(said)].at(-1);
  const stated = (last?.[1] ?? last?.[2] ?? "").replace(
    /[.!]\s.*$|,\s+(?:because|since|as|which|although|but)\b.*$/i,
    "",
  );
  const found = sameOption(stated, options);
  if (found.length > 0) return found;
  const sentences = text.length > longestOption ? [] : text.split(/(?<=[.!?])\s+|\n+/);
  return [...new Set(sentences.flatMap((sentence) => sameOption(sentence, options)))];
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
