import { foreignBefore } from "./cues.ts";
import type { Mark } from "./option-marks.ts";

export const beVerb = "(?:is|was|are|be|being|remains?|becomes?|seems?|appears?)";
const link =
  "(?:the|to|be|been|is|as|that|it|still|indeed|therefore|thus|clearly|definitely|actually|simply|likely|most|probably|now|also|in fact|correct|right|best|following|option|choice|letter|answer|solution|both|either|would|should|must|will|can|could|remains?|seems?|appears?)";
export const cue =
  "(?:answer|ans|choice|option|letter|response|selection|solution|conclusion|verdict|correct|right|best|accurate|appropriate|suitable|statement|one)s?";
const deciding =
  "(?:choose|chose|prefer|select|selected|pick|picked|go with|going with|opt for|opted for|settle on|vote for|conclude|say|favou?r|lean towards?|leaning towards?)";
const changing =
  "(?:chang(?:e|ed|ing)|updat(?:e|ed|ing)|revis(?:e|ed|ing)|switch(?:ed|ing)?)\\b[^.!?\\n]{0,40}\\bto\\s+";
const inBetween = `(?:${link}\\b[\\s,:]*){0,6}[\\s(\\[<:]*$`;
/** Ends right before the letter: a cue and then "is" or a colon in the same sentence, or a deciding verb. */
const statedBefore = new RegExp(
  `\\b(?:${cue}\\b[^.!?\\n]{0,120}\\b${beVerb}\\b[\\s,:]*|${cue}\\s*(?:\\(s\\))?\\s*[:=>→-]\\s*|${deciding}\\s+|${changing})${inBetween}`,
  "i",
);
const concluding =
  /\b(?:therefore|thus|hence|so|actually|reconsidering|overall|ultimately|finally|in conclusion)\b[\s,:]*(?:it(?: is|['’]s) )?[(\s]*$/i;
const praise = "(?:correct|right|best|accurate|appropriate|suitable|compelling|convincing|fitting|precise|plausible)";
const statedAfter = new RegExp(
  `^[\\s,.:)]*(?:(?:is|as|being|seems|remains|appears|stands out|would|should|must|to|be|indeed|clearly|still|therefore|likely)\\s+){0,4}(?:(?:correct|right)\\b(?!\\s+(?:of|side|hand|angle)\\b)|(?:the|my|a)\\s+(?:\\w+\\s+){0,3}(?:${praise}|answer)\\b)`,
  "i",
);
const reported =
  /\b(?:if|mistake|(?:was|were) going to|initially|at first|originally|tempted to|(?:some|many|others?|students?|people|agents?|one|you|they|he|she)\s+(?:\w+\s+){0,2}(?:think|say|claim|argue|believe|suggest|state)(?:s|d|ed)?)\b(?:(?!\b(?:but|so|hence|thus|therefore)\b|;)[^.!?\n])*$/i;
const conditional = /^\s+(?:only\s+)?if\b|^\s+(?:would|could|might)\b[^.!?\n]{0,80}\b(?:if|had|only when|unless)\b/i;
const movedTo = /\bfrom\s+(?:option\s+)?\W{0,2}[A-Z]\W{0,2}\s+to\s+(?:option\s+)?\W{0,2}$/i;
const deniedBefore =
  /\b(?:not|cannot|can['’]t|couldn['’]t|wouldn['’]t|isn['’]t|aren['’]t|never|nor|neither|than|unlike|from|instead of|except|eliminat(?:e|es|ed|ing)|rul(?:e|es|ed|ing) out|reject(?:s|ed|ing)?|against)\b[\s,:]*(?:(?:the|be|options?|choices?|answers?)\s+)*[\s(]*$/i;
const deniedAfter = new RegExp(
  `^[\\s,.:)]*(?:(?:is|are|was|were|be|can|would|seems?)\\s+){1,2}(?:\\w+\\s+)?(?:(?:not|n['’]t)\\s+(?:(?:the|a|an|as|fully|entirely|quite)\\s+){0,2}(?:${praise}|answer|option|choice|supported)|incorrect|wrong|false|inaccurate|eliminated|ruled out|distractors?)\\b|^[\\s,]*(?:isn|aren)['’]t\\b`,
  "i",
);

/** `The answer is B`, `Answer: B`, `I choose B`, `B is correct`, `Therefore, B.` */
export function isStated(text: string, mark: Mark, previous: Mark | undefined): boolean {
  if (mark.word || isDenied(text, mark)) return false;
  const before = text.slice(Math.max(previous?.end ?? 0, mark.start - 200, 0), mark.start);
  const after = text.slice(mark.end, mark.end + 80);
  return (
    statedBefore.test(before) ||
    movedTo.test(text.slice(Math.max(0, mark.start - 40), mark.start)) ||
    foreignBefore.test(before) ||
    statedAfter.test(after) ||
    (concluding.test(before) && /^\s*(?:[.!\n]|$)/.test(after))
  );
}

/** `not B`, `B is wrong` */
export function isDenied(text: string, mark: Mark): boolean {
  return (
    deniedBefore.test(text.slice(Math.max(0, mark.start - 40), mark.start)) ||
    deniedAfter.test(text.slice(mark.end, mark.end + 80))
  );
}

/** What others say, or what would be if: weaker than what the reply says itself. */
export function isReported(text: string, mark: Mark): boolean {
  return (
    reported.test(text.slice(Math.max(0, mark.start - 160), mark.start)) ||
    conditional.test(text.slice(mark.end, mark.end + 120))
  );
}
