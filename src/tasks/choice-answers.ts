import { normalizeText } from "../base/normalize-text.ts";
import { optionLetter } from "../contracts/task.ts";
import type { Draft } from "./benchmarks/index.ts";
import { type DataRecord, fieldError, show } from "./files/data-record.ts";

/** A draft with the record it was read from. */
export interface Drafted {
  readonly record: DataRecord;
  readonly draft: Draft;
}

/** How the answer of one record can be understood. `index` is settled; `number` waits for the rest of the file. */
type Reading =
  | { readonly kind: "index"; readonly index: number }
  | { readonly kind: "number"; readonly value: number; readonly written: boolean; readonly match: number | undefined }
  | { readonly kind: "count"; readonly value: number };

/** What numbers count from, or `text`: they are the text of an option. */
type Base = 0 | 1 | "text";

/**
 * The letters of a file's answers. An answer may be a label of the options, a letter in any dress (`c`, `(C)`, `C.`,
 * `Answer: C`), a number, `answer3` (which counts from 1), or the text of exactly one option; forms may be mixed in a file.
 * What numbers mean is decided once for the file:
 * - as `answerBase` says;
 * - else they are option texts, where all of them are written as text and every one is exactly one option's;
 * - else they count from 0, where all are in range so (in doubt, because neither 0 nor the last number occurs, with a warning);
 * - else from 1, where 0 never occurs and every number up to the last does (with a warning);
 * - else the file is in error: one number out of range is not enough to move all the others.
 * @throws ColloquyError `task/field` with file, line, field and value
 */
export function choiceAnswers(file: readonly Drafted[], answerBase?: 0 | 1): { letters: string[]; warnings: string[] } {
  const readings = file.map(readAnswer);
  const warnings: string[] = [];
  const base = chooseBase(file, readings, answerBase ?? file[0]?.draft.answerBase, warnings);
  const countsFromZero = readings.some((reading) => reading.kind === "count" && reading.value === 0);
  const letters = file.map(({ record, draft }, i) => {
    const reading = readings[i];
    const count = draft.options!.texts.length;
    const start = reading.kind === "count" ? (countsFromZero ? 0 : 1) : base === 1 ? 1 : 0;
    const index =
      reading.kind === "index"
        ? reading.index
        : reading.kind === "number" && base === "text"
          ? reading.match!
          : reading.value - start;
    if (index >= 0 && index < count) return optionLetter(index);
    throw fieldError(
      record,
      draft.answerField,
      `is ${show(draft.answer)}, which is none of its ${count} options (numbers run from ${start} to ${count - 1 + start})`,
      start === 0 && index === count ? "Where the first option is 1, say so: fields.answerBase: 1." : undefined,
    );
  });
  return { letters, warnings };
}

const dress =
  /^(?:(?:the\s+)?(?:correct\s+|right\s+)?(?:answer|option|choice)[\s_-]*(?:is\b)?\s*[:.]?\s*)?[([{]?\s*([^\W_]+)\s*[)\]}]?\s*[.:)]?$/i;
const counted = /^(?:answer|option|choice|ans|opt)[ _-]?(\d{1,2})$/i;

function readAnswer({ record, draft }: Drafted): Reading {
  const { answer, answerField, options } = draft;
  if (options === undefined) throw fieldError(record, answerField, "belongs to a question without options");
  const given = typeof answer === "object" ? "" : String(answer).trim();
  // Tables with a missing value somewhere write whole numbers so: 2.0.
  const text = matchText(options.texts, given) === undefined ? given.replace(/^(\d+)\.0+$/, "$1") : given;
  const [, core = ""] = dress.exec(text) ?? [];
  const label = matchLabel(options.labels, text) ?? matchLabel(options.labels, core);
  if (label !== undefined) return { kind: "index", index: label };
  const match = matchText(options.texts, text) ?? matchTruth(options.texts, answer);
  const [, number] = counted.exec(text) ?? [];
  if (number !== undefined) return { kind: "count", value: Number(number) };
  if (/^\d{1,9}$/.test(core) || (typeof answer === "number" && Number.isInteger(answer))) {
    return {
      kind: "number",
      value: Number(typeof answer === "number" ? answer : core),
      written: typeof answer === "string",
      match,
    };
  }
  const hasOwnLetters = options.labels?.every((name) => /^[a-z]$/i.test(name)) ?? false;
  const letter = /^[a-z]$/i.test(core) && !hasOwnLetters ? core.toUpperCase().charCodeAt(0) - 65 : -1;
  if (letter >= 0 && letter < options.texts.length) return { kind: "index", index: letter };
  const index = match ?? matchLettered(options.texts, text);
  if (index !== undefined) return { kind: "index", index };
  throw fieldError(
    record,
    answerField,
    `is ${show(answer)}: no letter, number or text of exactly one of its ${options.texts.length} options`,
    `Its options: ${show(options.labels ?? options.texts)}.`,
  );
}

function matchLabel(labels: readonly string[] | undefined, text: string): number | undefined {
  const index = labels?.findIndex((label) => label.toLowerCase() === text.toLowerCase()) ?? -1;
  return index < 0 ? undefined : index;
}

/** The one option whose text it is. */
function matchText(options: readonly string[], text: string): number | undefined {
  const normal = normalizeText(text);
  const found = options.flatMap((option, index) => (normalizeText(option) === normal ? [index] : []));
  return found.length === 1 ? found[0] : undefined;
}

/** The one option that says yes where the answer is `true`, or no where it is `false`. */
function matchTruth(options: readonly string[], answer: unknown): number | undefined {
  if (typeof answer !== "boolean") return undefined;
  const words = answer ? /^(?:yes|true|correct|right)\W*$/i : /^(?:no|false|incorrect|wrong)\W*$/i;
  const found = options.flatMap((option, index) => (words.test(option.trim()) ? [index] : []));
  return found.length === 1 ? found[0] : undefined;
}

/** `C) Paris`: a letter and the text of its option. */
function matchLettered(options: readonly string[], text: string): number | undefined {
  const [, letter, rest] = /^[([]?([A-Za-z])(?:[)\].:]+\s*|\s+[-–—]\s+)(.+)$/s.exec(text) ?? [];
  if (letter === undefined) return undefined;
  const index = letter.toUpperCase().charCodeAt(0) - 65;
  return index < options.length && normalizeText(options[index]) === normalizeText(rest) ? index : undefined;
}

function chooseBase(
  file: readonly Drafted[],
  readings: readonly Reading[],
  given: 0 | 1 | undefined,
  warnings: string[],
): Base {
  if (given !== undefined) return given;
  const numbers = readings.flatMap((reading, i) =>
    reading.kind === "number" ? [{ ...reading, count: file[i].draft.options!.texts.length }] : [],
  );
  if (numbers.length === 0) return 0;
  const { record, draft } = file[readings.findIndex(({ kind }) => kind === "number")];
  const warn = (assumed: string, other: string): void => {
    warnings.push(`${record.file}: numbers in "${draft.answerField}" are read as ${assumed}; if not, set ${other}`);
  };
  const fitsZero = numbers.every(({ value, count }) => value < count);
  const fitsOne = numbers.every(({ value, count }) => value >= 1 && value <= count);
  const areTexts = numbers.every(({ match }) => match !== undefined);
  if (areTexts && (numbers.every(({ written }) => written) || (!fitsZero && !fitsOne))) {
    if (fitsZero && numbers.some(({ value, match }) => match !== value)) {
      warn("the texts of options", "fields.answerBase to 0 or 1");
    }
    return "text";
  }
  if (fitsZero) {
    if (fitsOne) warn("counted from 0 (neither 0 nor the last number occurs)", "fields.answerBase: 1");
    return 0;
  }
  const last = numbers.reduce((most, { value }) => Math.max(most, value), 0);
  const occurring = new Set(numbers.map(({ value }) => value));
  if (fitsOne && occurring.size === last) {
    warn(`counted from 1 (every number from 1 to ${last} occurs, 0 never)`, "fields.answerBase: 0");
    return 1;
  }
  return 0;
}
