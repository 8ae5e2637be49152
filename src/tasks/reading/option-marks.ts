import { optionLetter } from "../../contracts/task.ts";

/**
 * Stand-alone option letters in a text, before anyone decides what they mean. Letters joined as in `A, B and C` are one
 * mark: none of them is more the answer than the others.
 */
export interface Mark {
  /** Distinct letters in order of appearance, upper case, in or out of range. */
  readonly letters: readonly string[];
  /** From the first character that belongs to it (its bracket, or its option text written before it) … */
  readonly start: number;
  /** … to behind the last one (its bracket, or its option text repeated behind it). */
  readonly end: number;
  /** `(B)`, `[B]`, `B)`: marked as an option, so it cannot be a word or an initial. */
  readonly bracketed: boolean;
  readonly upperCase: boolean;
  /** Reads as an English word ("A car", "I think") or as the name of something else ("vitamin C", "agent B"). */
  readonly word: boolean;
}

// Not part of a word, number, abbreviation (U.S., e.g.), hyphenation (B-cell), LaTeX command or "N/A". Other scripts
// than these write letters without a space before them.
const standAlone =
  /(?<![\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{N}'’_\\]|[\p{L}\p{N}][-.]|\bN\/)([A-Za-z])(?![\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{N}'’_]|[-–.][\p{L}\p{N}]|\+\+|#)/gu;
const joint = /^\s*(?:[,/&+]|,?\s*(?:and\/or|and|or|nor|to|through|vs\.?|versus))\s*(?:(?:option|choice|answer)\s+)?$/i;
/** Words that follow a letter ("A because …"), but never an article or a pronoun. */
const connective =
  /^\s+(?:and|as|based|because|but|by|due|given|instead|is|not|or|over|rather|remains|seems|should|since|so|was|which|with|would)\b/i;
/** … and of those, the ones that do not follow the pronoun. */
const ofLetterI =
  /^\s+(?:and|as|based|because|but|by|due|given|instead|is|not|or|over|rather|remains|seems|since|so)\b/i;
const namesOther =
  /\b(?:agents?|alleles?|angle|block|box|cars?|circle|city|class|company|compound|country|curve|drug|event|factor|figure|gene|grade|group|hepatitis|influenza|line|machine|matrix|node|object|part|patients?|persons?|phase|plan|players?|points?|problem|protein|question|region|sample|section|set|species|state|step|students?|substance|team|train|treatment|type|vertex|vitamins?)\s+$/i;
/** A verb for one subject: in "the answer is A, and B is wrong" the last letter begins a clause of its own. */
const singularVerb = /^\s*(?:is|was|has|does|would|can|cannot|seems|could|may|might|refers|describes)\b/i;

/** All marks in `text`, in order. `options` are the option texts where they are known: `(B) red light` is one mark. */
export function findMarks(text: string, options: readonly string[]): Mark[] {
  const single = [...text.matchAll(standAlone)].map((match) => markAt(text, match.index, options));
  const marks: Mark[] = [];
  for (let first = 0; first < single.length; ) {
    let last = first;
    while (last + 1 < single.length && isJoined(text, single[last], single[last + 1])) last++;
    if (last > first && startsClause(text, single[last - 1], single[last])) last--;
    marks.push(last === first ? single[first] : joinMarks(text, single.slice(first, last + 1)));
    first = last + 1;
  }
  return marks;
}

function markAt(text: string, at: number, options: readonly string[]): Mark {
  const letter = text[at].toUpperCase();
  let start = at;
  let end = at + 1;
  const isOpened = isOpening(text[at - 1]) && !/[\p{L}\p{N}]/u.test(text[at - 2] ?? "");
  const isClosed = /[)\]}]/.test(text[end] ?? "");
  if (isClosed) end++;
  if (isOpened && isClosed) start--;
  const bracketed = isClosed && (isOpened || !isInsideBracket(text, at));
  let word = !bracketed && isWord(text, at, end);
  const option = options.find((_, index) => optionLetter(index) === letter) ?? "";
  const gap = /^[\s.:,-]*/.exec(text.slice(end, end + 4))?.[0].length ?? 0;
  if (isSameText(text.slice(end + gap, end + gap + option.length), option)) {
    end += gap + option.length;
    word = false;
  } else if (bracketed && isSameText(text.slice(Math.max(0, start - 1 - option.length), start - 1), option)) {
    start -= 1 + option.length;
  }
  return { letters: [letter], start, end, bracketed, upperCase: text[at] === letter, word };
}

function isWord(text: string, at: number, end: number): boolean {
  const before = text.slice(Math.max(0, at - 12), at);
  if (namesOther.test(before)) return true;
  // Inside a sentence an article has no capital: "is A …", "option A …".
  if (text[at] === "A" && /\b(?:is|be|option|choice|letter|answer)\s+$/i.test(before)) return false;
  return (
    /[AI]/i.test(text[at]) &&
    /^[ \t]+[\p{L}\p{N}]/u.test(text.slice(end, end + 8)) &&
    !(/i/i.test(text[at]) ? ofLetterI : connective).test(text.slice(end, end + 16))
  );
}

function isOpening(character: string | undefined): boolean {
  return character === "(" || character === "[" || character === "{";
}

/** In `LCM(45, b)` the bracket behind b closes another one. */
function isInsideBracket(text: string, at: number): boolean {
  let depth = 0;
  for (let i = at - 1; i >= Math.max(0, at - 60) && text[i] !== "\n"; i--) {
    if (/[)\]}]/.test(text[i])) depth++;
    else if (isOpening(text[i]) && --depth < 0) return true;
  }
  return false;
}

function isSameText(a: string, option: string): boolean {
  return option !== "" && a.toLowerCase() === option.toLowerCase();
}

function isJoined(text: string, a: Mark, b: Mark): boolean {
  return (
    b.start >= a.end &&
    b.start - a.end <= 20 &&
    !a.word &&
    !b.word &&
    joint.test(text.slice(a.end, b.start)) &&
    !isMove(text, a, b)
  );
}

/** `from A to B`, `prefer B to A` */
function isMove(text: string, a: Mark, b: Mark): boolean {
  const before = text.slice(Math.max(0, a.start - 24), a.start);
  return /^\s*to\b/.test(text.slice(a.end, b.start)) && /\b(?:from|prefer(?:red)?)\s+(?:option\s+)?$/i.test(before);
}

function startsClause(text: string, before: Mark, last: Mark): boolean {
  return singularVerb.test(text.slice(last.end, last.end + 12)) && !/\bor\b/i.test(text.slice(before.end, last.start));
}

function joinMarks(text: string, members: readonly Mark[]): Mark {
  const { start } = members[0];
  const isOpened = isOpening(text[start - 1]);
  return {
    letters: [...new Set(members.flatMap((mark) => mark.letters))],
    start: isOpened ? start - 1 : start,
    end: members[members.length - 1].end,
    bracketed: isOpened || members.some((mark) => mark.bracketed),
    upperCase: members.every((mark) => mark.upperCase),
    word: false,
  };
}
