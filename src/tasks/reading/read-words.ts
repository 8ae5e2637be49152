import { normalizeText } from "../../base/normalize-text.ts";
import { dropThoughts, isBlank } from "../../base/thoughts.ts";
import type { Reading } from "../../contracts/task.ts";
import { lastBoxed } from "./boxed.ts";
import { foreignStatement } from "./cues.ts";
import { cap, undress } from "./dressing.ts";
import { type Finding, nothing, toReading } from "./finding.ts";
import { isRefusal, isUnknown } from "./refusal.ts";

/** Longer last lines are prose, not an answer. */
const longestAnswer = 300;

/** The normal form of an answer in words: one width, lower case, single spaces, no leading article, no closing punctuation. */
export function normalizeWords(text: string): string {
  const plain = normalizeText(undress(text))
    .replace(/^[\s"'([{]+|[\s"')\]}.,;:!?。]+$/g, "")
    .trim();
  return plain.replace(/^(?:the|an?) (?=\S)/, "");
}

/**
 * Reads an answer in words: of the last closed box, behind the last statement ("The answer is …", "Answer: …"), else the
 * last line.
 */
export function readWords(text: string): Reading {
  const spoken = dropThoughts(text);
  return isBlank(spoken) ? { status: "empty", answer: null } : toReading(findWords(spoken));
}

const statement =
  /\banswers?\b[^.!?\n:]{0,60}?(?:\b(?:is|are|was|would be|should be)\b\s*:?|[:=→>]|=>|[-–—](?=\s))\s*(?:that\s+)?/gi;

/** As `readWords`, of a text that is not blank and free of hidden thoughts. */
export function findWords(text: string): Finding {
  const raw = cap(text);
  const boxes = [...new Set(lastBoxed(raw).map(normalizeWords))].filter((answer) => answer !== "");
  if (boxes.length > 0) return { answers: boxes, stated: true };
  const plain = undress(raw);
  const stated = readStatement(plain);
  if (stated !== null) return stated;
  if (isRefusal(plain)) return { ...nothing, refused: true };
  const lastLine = normalizeWords(plain.split("\n").findLast((line) => !isBlank(line)) ?? "");
  const isAnswer = lastLine !== "" && lastLine.length <= longestAnswer && !isUnknown(plain);
  return { answers: isAnswer ? [lastLine] : [], stated: false };
}

function readStatement(plain: string): Finding | null {
  const cues = [...plain.matchAll(statement), ...plain.matchAll(foreignStatement)].sort((a, b) => b.index - a.index);
  for (const { index, 0: cue } of cues) {
    const rest = plain.slice(index + cue.length, index + cue.length + longestAnswer).trimStart();
    const stop =
      /(?<!\b(?:Dr|Mrs?|Ms|St|Mt|Prof))[.!?。](?=\s|$)|\n|<\/|,\s+(?:because|since|as|which|although|but)\b/.exec(rest);
    const answer = normalizeWords(stop === null ? rest : rest.slice(0, stop.index));
    if (/^(?:not|unknown|unclear)\b/.test(answer) || isUnknown(answer)) return nothing;
    if (answer !== "") return { answers: [answer], stated: stop !== null };
  }
  return null;
}
