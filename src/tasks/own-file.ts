import { ColloquyError, suggest } from "../base/errors.ts";
import { optional } from "./benchmarks/benchmark.ts";
import type { Form } from "./benchmarks/index.ts";
import { optionsAt, optionsOf } from "./benchmarks/read-options.ts";
import { type DataRecord, textAt, valueAt } from "./files/data-record.ts";
import { plainName, usualNames } from "./files/header.ts";
import type { FieldNames } from "./task-settings.ts";

/** Where the fields of a file are. */
interface Places {
  readonly question: readonly string[];
  readonly options?: string | readonly string[];
  readonly answer?: string;
  readonly id?: string;
  readonly subject?: string;
}

/**
 * The form of a file of one's own: the fields that are named, the others under their usual names, or, in CSV without a
 * header, by place (question, options, answer).
 * @throws ColloquyError `task/fields` where a named field is in no record, or no question can be found
 */
export function ownForm(records: readonly DataRecord[], names: FieldNames): Form & { readonly note?: string } {
  const places = findPlaces(records, names);
  const note = describeGuess(records, places, names);
  return {
    ...(note !== undefined && { note }),
    fits: () => true,
    read: (record) => ({
      text: places.question.map((path) => textAt(record, path)).join(" "),
      ...(places.options !== undefined && {
        options:
          typeof places.options === "string" ? optionsAt(record, places.options) : optionsOf(record, places.options),
      }),
      answer: places.answer === undefined ? undefined : valueAt(record.fields, places.answer),
      answerField: places.answer ?? "answer",
      ...(places.id !== undefined && optional(record, "id", places.id)),
      ...(places.subject !== undefined && optional(record, "subject", places.subject)),
    }),
  };
}

/** What was guessed where nobody named a field: columns read by their place, and fields that are not read at all. */
function describeGuess([first]: readonly DataRecord[], places: Places, names: FieldNames): string | undefined {
  if (names.question !== undefined && names.answer !== undefined) return undefined;
  const { question, options = [], answer, id, subject } = places;
  const read = [question, options, answer, id, subject].flat().filter((path) => path !== undefined);
  const keys = Object.keys(first.fields);
  if (keys.every((key) => /^\d+$/.test(key)))
    return `${first.file} has no header that is known: column ${question} is read as the question, ${[options].flat().length > 0 ? `${[options].flat().join(", ")} as options, ` : ""}${answer ?? "none"} as the answer`;
  const unread = keys.filter((key) => !read.some((path) => path === key || path.startsWith(`${key}.`)));
  return unread.length === 0 ? undefined : `${first.file}: not read: ${unread.slice(0, 10).join(", ")}`;
}

function findPlaces(records: readonly DataRecord[], names: FieldNames): Places {
  const keys = [...new Set(records.slice(0, 100).flatMap(({ fields }) => Object.keys(fields)))];
  for (const path of Object.values(names).flat()) {
    if (typeof path === "string") checkNamed(records, path, keys);
  }
  const hasNames = !keys.every((key) => /^\d+$/.test(key));
  const byPlace = hasNames ? {} : placesByNumber(keys);
  const find = (kind: keyof typeof usualNames): string | undefined =>
    usualNames[kind].flatMap((usual) => keys.filter((key) => plainName(key) === usual))[0];
  const question = names.question ?? byPlace.question ?? findQuestion(records[0], find("question"));
  if (question === undefined) throw noQuestion(records[0], keys);
  // A list of one field names a field that holds them all.
  const [only, ...others] = [names.options ?? []].flat();
  const named = others.length === 0 ? only : names.options;
  const options = named ?? (hasNames ? (find("options") ?? findOptions(records[0], keys)) : byPlace.options);
  // `q,a`: with no option beside it, `a` is the answer.
  const lone = options === undefined ? keys.find((key) => plainName(key) === "a") : undefined;
  const answer = names.answer ?? byPlace.answer ?? find("answer") ?? lone;
  const id = names.id ?? find("id");
  const subject = names.subject ?? find("subject");
  return {
    question: [question].flat(),
    ...(options !== undefined && { options }),
    ...(answer !== undefined && { answer }),
    ...(id !== undefined && { id }),
    ...(subject !== undefined && { subject }),
  };
}

function checkNamed(records: readonly DataRecord[], path: string, keys: readonly string[]): void {
  if (records.some(({ fields }) => valueAt(fields, path) !== undefined)) return;
  throw new ColloquyError("task/fields", `${records[0].file}: no record has the field "${path}"`, {
    hint: suggest(path, keys.slice(0, 30)),
  });
}

/** Question, options, answer; two columns are question and answer. Three can be too much to guess. */
function placesByNumber(keys: readonly string[]): Partial<Places> {
  if (keys.length === 3) return {};
  const last = keys.length - 1;
  return {
    question: ["0"],
    ...(last > 0 && { answer: String(last) }),
    ...(last > 2 && { options: keys.slice(1, last) }),
  };
}

/** `question` itself, or the stem inside it. */
function findQuestion({ fields }: DataRecord, key: string | undefined): string | undefined {
  if (key === undefined || typeof fields[key] !== "object") return key;
  return ["stem", "text"].map((inner) => `${key}.${inner}`).find((path) => valueAt(fields, path) !== undefined);
}

/** Choices inside the question, or columns such as `A`, `B`, …, `option_a`, …, `choice1`, …. */
function findOptions({ fields }: DataRecord, keys: readonly string[]): string | readonly string[] | undefined {
  const inside = keys.flatMap((key) => [`${key}.choices`, `${key}.options`]);
  const nested = inside.find((path) => valueAt(fields, path) !== undefined);
  if (nested !== undefined) return nested;
  for (const prefix of ["", "option", "choice", "opt", "op", "answer", "ans", "ending"]) {
    for (const first of ["a", "0", "1"]) {
      const family: string[] = [];
      for (let i = 0; ; i++) {
        const mark = first === "a" ? String.fromCharCode(97 + i) : String(Number(first) + i);
        const key = keys.find((candidate) => plainName(candidate) === prefix + mark);
        if (key === undefined) break;
        family.push(key);
      }
      if (family.length >= 2) return family;
    }
  }
  return undefined;
}

function noQuestion({ file }: DataRecord, keys: readonly string[]): ColloquyError {
  const problem = `${file}: which field is the question? The fields: ${keys.slice(0, 30).join(", ")}`;
  return new ColloquyError("task/fields", problem, { hint: "Name it: fields.question." });
}
