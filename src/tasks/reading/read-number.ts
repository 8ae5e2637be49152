import { dropThoughts, isBlank } from "../../base/thoughts.ts";
import type { Reading } from "../../contracts/task.ts";
import { lastBoxed } from "./boxed.ts";
import { foreignStatement } from "./cues.ts";
import { cap } from "./dressing.ts";
import { type Finding, nothing, toReading } from "./finding.ts";
import { normalizeNumber } from "./normalize-number.ts";
import { type Phrase, readSentence, readStated, type Said } from "./number-phrase.ts";
import { findNumbers, type NumberToken } from "./number-tokens.ts";
import { isRefusal, isUnknown } from "./refusal.ts";
import { findSentences } from "./sentences.ts";
import { undressNumbers } from "./undress-numbers.ts";

/**
 * Reads the number a reply settles on, exactly and in normal form (see `normalizeNumber`). In order of trust: the last
 * closed box; the last `#### 18`; the last stated answer ("The answer is …", "Answer: …"; numerals in words too); a number
 * alone on the first line; the last number of the last sentence that has one. Two different numbers where one should stand
 * ("5 or 6", "3-5", "1,2") are `ambiguous`; a sum without its result or a number in a name is no answer.
 */
export function readNumber(text: string): Reading {
  const spoken = dropThoughts(text);
  return isBlank(spoken) ? { status: "empty", answer: null } : toReading(findNumber(spoken));
}

/** As `readNumber`, of a text that is not blank and free of hidden thoughts. */
export function findNumber(text: string): Finding {
  const raw = cap(text);
  const boxed = readBoxes(raw);
  if (boxed !== null) return { answers: boxed, stated: true };
  const plain = undressNumbers(raw);
  const tokens = findNumbers(plain);
  // A number that a reply was cut off behind may go on.
  const isCut = ({ end }: Said) => /[\p{L}\p{N}]$/u.test(raw) && plain.slice(end).trim() === "";
  const stated = readHashes(raw, plain) ?? readStatements(plain, tokens);
  if (stated !== null) return { answers: stated.answers, stated: !isCut(stated) };
  if (isRefusal(plain)) return { ...nothing, refused: true };
  if (isUnknown(plain)) return nothing;
  return {
    answers:
      (
        readFirstLine(plain, tokens) ??
        readLastSentence(
          plain,
          tokens.filter(({ weak }) => !weak),
        )
      )?.answers ?? [],
    stated: false,
  };
}

const placeholder = /^(?:[\s._…]|your|final|answer|number|text|the)*$/i;

function readBoxes(raw: string): readonly string[] | null {
  const contents = lastBoxed(raw)
    .map((content) => undressNumbers(content).replace(/^\s*([-+])\s+/, "$1"))
    .filter((content) => !placeholder.test(content));
  if (contents.length === 0) return null;
  return [
    ...new Set(
      contents.flatMap(
        (content) => readStated(phraseOf(content, 0, content.length, findNumbers(content)), false)?.answers ?? [],
      ),
    ),
  ];
}

/** `#### 18`, the form of GSM8K. */
function readHashes(raw: string, plain: string): Said | null {
  const line = [...raw.matchAll(/^[ \t]*#{4}[ \t]*([^\n#].*)$/gm)].at(-1);
  const answer = line && normalizeNumber(line[1].replace(/^\W*(?:final\s+)?answer\b\W{0,4}/i, ""));
  if (line === undefined || answer == null) return null;
  const isLast = raw.slice(line.index + line[0].length).trim() === "";
  return { answers: [answer], end: isLast ? plain.length : 0 };
}

const beVerb = "(?:is|are|was|be|would be|should be|equals|becomes|comes (?:out )?to)";
/** `The answer is`: the number may come later in the sentence. */
const sentenceCue = new RegExp(
  `\\banswers?\\b(?:(?!\\b(?:because|since)\\b)[^.!?\\n:]){0,80}?\\b${beVerb}\\b\\s*:?`,
  "gi",
);
/** `Answer:`, `<answer>`, `Final result =`: it has to follow, as an explanation can follow as well. */
const labelCue =
  /\b(?:answer|ans|result|solution|final (?:value|total|amount|number))s?\b\.?\s{0,3}(?:\([^()\n]{0,40}\)\s{0,3})?(?:=>|->|[:=→>]|[-–—](?=\s)|\|)|^(?:final\s+)?answer(?=\s+[-+.\d])/gim;
/** `42 is the answer`: the number stands before it. */
const behindCue =
  /\s(?:is|was|as|must be|should be|would be)\s+(?:the|my|our)\s+(?:\w+\s+){0,2}answer\b(?! (?:is|was|seems) (?:not|wrong|incorrect))/gi;
const reported =
  /\b(?:if|suppose|assume|whether|some|many|others?|agents?|peers?|students?|people|he|she|they|you|mistake)\b[^.!?\n]{0,60}$/i;

/** The last answer that is stated, rather than one that is said of others. */
function readStatements(plain: string, tokens: readonly NumberToken[]): Said | null {
  const sentences = [...plain.matchAll(sentenceCue), ...plain.matchAll(foreignStatement)];
  const readers = [
    ...sentences.map((match) => ({ match, read: () => readBehind(plain, match, tokens, false) })),
    ...[...plain.matchAll(labelCue)].map((match) => ({ match, read: () => readBehind(plain, match, tokens, true) })),
    ...[...plain.matchAll(behindCue)].map((match) => ({ match, read: () => readBefore(plain, match.index, tokens) })),
  ].sort((a, b) => b.match.index - a.match.index);
  let others: Said | null = null;
  for (const { match, read } of readers) {
    const said = read();
    if (said === null) continue;
    if (!reported.test(plain.slice(Math.max(0, match.index - 80), match.index))) return said;
    others ??= said;
  }
  return others;
}

function readBehind(
  plain: string,
  match: RegExpExecArray,
  tokens: readonly NumberToken[],
  isLabel: boolean,
): Said | null {
  const from = match.index + match[0].length;
  const phrase = phraseOf(plain, from, endOfSentence(plain, from), tokens);
  // "The answer cannot be determined from these 3 facts."
  if (!isLabel && isUnknown(plain.slice(match.index, phrase.tokens[0]?.start ?? phrase.to))) return null;
  if (/^\s*(?:unknown|undefined|unclear|indeterminate)\b/i.test(plain.slice(from, phrase.to)))
    return { answers: [], end: from };
  const said = readStated(phrase, isLabel);
  return isLabel && said !== null && isFirstOfSteps(phrase, tokens) ? null : said;
}

function readBefore(plain: string, to: number, tokens: readonly NumberToken[]): Said | null {
  const lead = /(?:^|[.!?]\s|\n)(?:(?![.!?]\s)[^\n])*$/.exec(plain.slice(Math.max(0, to - 200), to));
  return lead && readSentence(phraseOf(plain, to - lead[0].length, to, tokens));
}

/** `Answer: 48/2 = 24 in May. 48 + 24 = 72.`: the steps begin there. */
function isFirstOfSteps({ text, from, to }: Phrase, tokens: readonly NumberToken[]): boolean {
  return /[=≈]/.test(text.slice(from, to)) && tokens.some(({ start, weak }) => start >= to && !weak);
}

const longestSentence = 400;

function endOfSentence(plain: string, from: number): number {
  const rest = plain.slice(from, from + longestSentence);
  const lead = /^\s*/.exec(rest)![0].length;
  const stop = /[.!?。](?=[\s)\]]|$)|\n/.exec(rest.slice(lead));
  return from + (stop === null ? rest.length : lead + stop.index);
}

function phraseOf(text: string, from: number, to: number, tokens: readonly NumberToken[]): Phrase {
  return { text, from, to, tokens: tokens.filter(({ start, end }) => start >= from && end <= to) };
}

/** `18`, then the explanation. */
function readFirstLine(plain: string, tokens: readonly NumberToken[]): Said | null {
  const lines = plain.split("\n").filter((line) => line.trim() !== "");
  if (lines.length < 2 || normalizeNumber(lines[lines.length - 1]) !== null) return null;
  const [first] = tokens;
  const answer = normalizeNumber(lines[0]);
  return answer !== null && !first.weak ? { answers: [answer], end: 0 } : null;
}

/** The last sentence with a number that is no question; numerals in words only where the reply has no digits. */
function readLastSentence(plain: string, tokens: readonly NumberToken[]): Said | null {
  const sentences = findSentences(plain);
  const hasDigits = /\d/.test(plain);
  let last = tokens.length;
  let asked: Said | null = null;
  for (const { from, to, isQuestion } of sentences.reverse()) {
    const end = last;
    while (last > 0 && tokens[last - 1].start >= from) last--;
    const phrase = { text: plain, from, to, tokens: tokens.slice(last, end) };
    const said = hasDigits ? readSentence(phrase) : readStated(phrase, false);
    if (said !== null && !isQuestion) return said;
    asked ??= said;
  }
  return asked;
}
