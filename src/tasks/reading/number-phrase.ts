import type { NumberToken } from "./number-tokens.ts";
import { readNumberWords } from "./number-words.ts";

/** What a stretch of text says: answers of equal standing (none for `3 * 4` or `5√3`), up to `end` of the text. */
export interface Said {
  readonly answers: readonly string[];
  readonly end: number;
}

/** A stretch `[from, to)` of a text with its numbers. */
export interface Phrase {
  readonly text: string;
  readonly from: number;
  readonly to: number;
  readonly tokens: readonly NumberToken[];
}

const filler =
  /^(?:[\s:=≈~$([{'’|-]|(?:the|a|an|is|was|it|be|that|to|of|answer|final|exactly|approximately|about|around|roughly|simply|just|only|therefore|total|number|value|equal|equals|option|she|he|they|there|are|usd|eur|gbp|rs|[a-z]\s?=)(?![\p{L}\p{N}]))*$/iu;
const denied =
  /\b(?:not|never|isn['’]t|wasn['’]t|instead of|rather than|than|except|unlike)\s+(?:(?:just|only|exactly|simply|the|be|equal to)\s+){0,2}$/i;
const equality = /[=≈→]\s*[\p{L}\s(:]{0,40}$/u;
const operator = /^[\s\p{L}%)]{0,40}[+*×÷/·±]\s*\(?\s*$|^\s+[-–xX]\s+\(?$|^-$/u;
const joint =
  /^\s?(?:h|hrs?|hours?|min|minutes?|ft|feet|lbs?|pounds?|days?|weeks?|months?|years?)\s$|^[^.;!?\n]{0,30}\bor\b[^.;!?\n]{0,20}$|^(?:\s+\p{L}+){0,2}\s*(?:,?\s*(?:and|to|versus|vs\.?)\s+|[,;&]\s*(?:and\s+)?|\s?[-–—~]\s?)(?:\p{L}\s*=\s*)?$/iu;
const nounBefore =
  /\b(?:total|result|sum|solution|difference|product|quotient|remainder|value)\b[^,;.]{0,60}?\b(?:is|was|are|equals)\s+$/i;
const clauseEnd = /[,;]\s+\p{L}|\b(?:so|then|therefore)\b/u;

/** The phrase that begins where a statement's cue ends. With `mustBegin` the number has to stand at its beginning. */
export function readStated(phrase: Phrase, mustBegin: boolean): Said | null {
  const { text, from, to } = phrase;
  const pool = usable(phrase);
  const words = readNumberWords(text.slice(from, to));
  const isWordFirst = words !== null && filler.test(text.slice(from, from + words.start));
  if (words !== null && (isWordFirst || (pool.length === 0 && !mustBegin && !isPronoun(words.text)))) {
    return { answers: [words.value], end: from + words.end };
  }
  if (pool.length === 0) return null;
  if (!filler.test(text.slice(from, pool[0].start))) return mustBegin ? null : settle(phrase, pool);
  return isOperator(text, pool, 0) || isEquality(text, pool, 1, from) ? settle(phrase, pool) : join(text, pool, 0);
}

/** What a sentence comes to: what its last `=` gives, what is said to be a total or a result, or its last number. */
export function readSentence(phrase: Phrase): Said | null {
  const pool = usable(phrase);
  return pool.length === 0 ? null : settle(phrase, pool);
}

/** The numbers that can be meant: quantities before names, none that is denied, those in brackets only by themselves. */
function usable({ text, from, tokens }: Phrase): readonly NumberToken[] {
  const affirmed = tokens.filter(({ start }) => !denied.test(text.slice(Math.max(from, start - 40), start)));
  const strong = affirmed.filter(({ weak }) => !weak);
  return strong.length > 0 ? strong : affirmed;
}

/** "22 feet because 22 > 21" */
function beforeReason(pool: readonly NumberToken[], reason: number): readonly NumberToken[] {
  const claimed = pool.filter(({ start }) => start < reason);
  return claimed.length > 0 ? claimed : pool;
}

const preposition =
  /[\p{L}\p{N}%)]\s+(?:in|after|for|over|on|within|during|every|out of|of the|of those|of these|from the|(?:needed |required )?to [a-z]{3,15}|(?:after|by|for|from|when|while|before) [a-z]{2,12}ing)\s+(?:(?:the|those|these|all|his|her|their|its|another|only|just|about|next|first|last|past|remaining|other)\s+){0,3}$/iu;
const noun =
  /^[\s-]+(?!(?:each|per|in|total|altogether|and|or|dollars?|cents?|euros?|pounds?|more|less|times?)\b)\p{L}/iu;

/** "72 clips in 2 months", "$90 on 3 shirts": what comes last is only how long, or for how many. */
function withoutCircumstance({ text }: Phrase, pool: readonly NumberToken[]): readonly NumberToken[] {
  let last = pool.length - 1;
  while (last > 0) {
    const [before, { start, end }] = [pool[last - 1].end, pool[last]];
    const gap = text.slice(Math.max(before - 1, start - longestGap), start);
    const isApart = /[=≈→,;:]|\b(?:so|then|is|are|was|were|has|have|gives|makes)\b/i.test(gap.slice(1));
    if (isApart || !preposition.test(gap) || !noun.test(text.slice(end, end + 20))) break;
    last--;
  }
  return pool.slice(0, last + 1);
}

function outside({ text, from }: Phrase, pool: readonly NumberToken[]): readonly NumberToken[] {
  let [at, depth] = [from, 0];
  const free = pool.filter(({ start }) => {
    for (; at < start; at++) depth = Math.max(0, depth + (text[at] === "(" ? 1 : text[at] === ")" ? -1 : 0));
    return depth === 0;
  });
  return free.length > 0 ? free : pool;
}

function settle(phrase: Phrase, all: readonly NumberToken[]): Said {
  const { text, from, to } = phrase;
  const claimed = beforeReason(all, from + text.slice(from, to).search(/[\s,](?:because|since)\s[^=]*$/i));
  const pool = outside(phrase, withoutCircumstance(phrase, claimed));
  const last = pool.length - 1;
  let result = last;
  while (result >= 0 && !isEquality(text, pool, result, from)) result--;
  if (result >= 0) {
    const isOpen = isOperator(text, pool, result);
    // In "72 = 48 + 24" the result stands first.
    if (isOpen)
      return result > 0 && !isOperator(text, pool, result - 2) ? join(text, pool, result - 1) : none(pool[last]);
    const goesOn = result < last && clauseEnd.test(text.slice(pool[result].end, pool[result + 1].start));
    return join(text, pool, goesOn ? last : result);
  }
  const named = pool.findLastIndex(({ start }) => nounBefore.test(text.slice(Math.max(from, start - 90), start)));
  if (named >= 0 && !isOperator(text, pool, named)) return join(text, pool, named);
  return isOperator(text, pool, last - 1) && text[pool[last].start - 1] !== "-"
    ? none(pool[last])
    : join(text, pool, last);
}

const none = ({ end }: NumberToken): Said => ({ answers: [], end });

/** The number at `index` and those of equal standing beside it; a term that is no number takes their place. */
function join(text: string, pool: readonly NumberToken[], index: number): Said {
  let [first, last] = [index, index];
  while (first > 0 && isJoint(text, pool, first)) first--;
  while (last + 1 < pool.length && isJoint(text, pool, last + 1)) last++;
  const members = pool.slice(first, last + 1);
  const isNone = members.some(({ values }) => values.length === 0);
  return { answers: isNone ? [] : [...new Set(members.flatMap(({ values }) => values))], end: pool[last].end };
}

/** In "it rose by 20 to 60" two things are said. */
function isJoint(text: string, pool: readonly NumberToken[], index: number): boolean {
  const { start } = pool[index - 1];
  return joint.test(between(text, pool, index)) && !/\bby\s$/i.test(text.slice(Math.max(0, start - 4), start));
}

const longestGap = 120;

function between(text: string, pool: readonly NumberToken[], index: number): string {
  return text.slice(Math.max(pool[index - 1].end, pool[index].start - longestGap), pool[index].start);
}

/** An operator joins the number at `index` to the next one. */
function isOperator(text: string, pool: readonly NumberToken[], index: number): boolean {
  return index >= 0 && index + 1 < pool.length && operator.test(between(text, pool, index + 1));
}

function isEquality(text: string, pool: readonly NumberToken[], index: number, from: number): boolean {
  if (index >= pool.length) return false;
  const { start } = pool[index];
  const before = text.slice(Math.max(index > 0 ? pool[index - 1].end : from, start - longestGap), start);
  return equality.test(before) && !/\bor\b/i.test(before);
}

/** "one" is rather a pronoun where no number is expected. */
function isPronoun(words: string): boolean {
  return /^one$/i.test(words);
}
