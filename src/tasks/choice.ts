import { shortHash } from "../base/hash.ts";
import { normalizeText } from "../base/normalize-text.ts";
import type { Question } from "../contracts/task.ts";

/**
 * The identity of a question: a hash of its text and options in normal form (Unicode compatibility form, lower case, one
 * space between words). Copies of a question in different files, with other ids, have the same key; so splits, caches
 * and behaviour banks speak of questions by key. The order of the options counts: an answer is a letter.
 */
export function questionKey(question: Pick<Question, "text" | "options">): string {
  return shortHash(JSON.stringify([question.text, ...question.options].map(normalizeText)), 16);
}
