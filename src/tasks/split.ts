import { ColloquyError } from "../base/errors.ts";
import { groupBy } from "../base/group-by.ts";
import { shortHash } from "../base/hash.ts";
import { createRng } from "../base/rng.ts";
import type { Question } from "../contracts/task.ts";
import { questionKey } from "./choice.ts";
import { partName } from "./files/list-data-files.ts";

/** Questions in three disjoint parts, with a hash of what is in each. */
export interface Split {
  readonly train: readonly Question[];
  readonly validation: readonly Question[];
  readonly test: readonly Question[];
  readonly hashes: { readonly train: string; readonly validation: string; readonly test: string };
}

/** Shares of the three parts; they add up to 1. */
export interface SplitSettings {
  readonly train: number;
  readonly validation: number;
  readonly test: number;
  readonly seed: number;
}

/**
 * Splits by question, in an order drawn from the seed. Copies of a question (equal text and options) stay together, and
 * questions of one subject that a simulated population tells apart by id count as different.
 * @throws ColloquyError `split/empty` when a part with a share above 0 gets no question
 */
export function splitQuestions(questions: readonly Question[], settings: SplitSettings): Split {
  const groups = groupBy(questions, questionKey);
  const order = createRng(settings.seed)
    .fork("split")
    .shuffle([...groups.keys()].sort());
  const trainEnd = Math.round(settings.train * order.length);
  const validationEnd = Math.round((settings.train + settings.validation) * order.length);
  const take = (from: number, to: number): Question[] => order.slice(from, to).flatMap((key) => groups.get(key)!);
  const parts = {
    train: take(0, trainEnd),
    validation: take(trainEnd, validationEnd),
    test: take(validationEnd, order.length),
  };
  for (const name of ["train", "validation", "test"] as const) {
    if (settings[name] > 0 && parts[name].length === 0) {
      throw new ColloquyError(
        "split/empty",
        `the ${name} part of ${questions.length} questions is empty (share ${settings[name]})`,
        {
          hint: "Give more questions, or a larger share to this part.",
        },
      );
    }
  }
  return { ...parts, hashes: hashParts(parts) };
}

/** Names of a benchmark's own parts for each part of a split. */
export interface SplitParts {
  readonly train: readonly string[];
  readonly validation: readonly string[];
  readonly test: readonly string[];
}

/** A split by parts, with what was left out. Questions keep their order; parts that nobody names are left out. */
export interface PartSplit extends Split {
  readonly warnings: readonly string[];
}

/**
 * A split by the parts that questions say they come from. Copies of one question (equal text and options) in several parts
 * stay in the test part, or else in the validation part, and are taken out of the others: what is judged was never learned.
 * Many benchmarks have no validation part: one named for both training and validation is shared between them.
 * @param shares of training and validation in such a part
 * @throws ColloquyError `split/parts` for a part that is not there or is both tested and learned, `split/empty`
 */
export function splitByParts(questions: readonly Question[], names: SplitParts, shares: SplitSettings): PartSplit {
  const wanted = {
    train: names.train.map(partName),
    validation: names.validation.map(partName),
    test: names.test.map(partName),
  };
  checkParts(questions, wanted);
  const pick = (part: keyof SplitParts): Question[] =>
    questions.filter((question) => question.part !== undefined && wanted[part].includes(partName(question.part)));
  const kept = shareOut(questions, wanted, shares);
  const test = pick("test");
  const tested = new Set(test.map(questionKey));
  const allValidation = pick("validation").filter((question) => !kept.has(question));
  const validation = allValidation.filter((question) => !tested.has(questionKey(question)));
  const seen = new Set([...tested, ...validation.map(questionKey)]);
  const validated = new Set(allValidation);
  const allTrain = pick("train").filter((question) => !validated.has(question));
  const train = allTrain.filter((question) => !seen.has(questionKey(question)));
  const parts = { train, validation, test };
  for (const part of ["train", "validation", "test"] as const) {
    if (wanted[part].length > 0 && parts[part].length === 0) {
      throw new ColloquyError(
        "split/empty",
        `the ${part} part (${wanted[part].join(", ")}) is empty without copies of others`,
        {
          hint: "All its questions are asked in another part, too. Name other parts, or split by shares.",
        },
      );
    }
  }
  const dropped = allTrain.length - train.length + allValidation.length - validation.length;
  const warnings =
    dropped > 0
      ? [`${dropped} questions are copies of questions of a later part; left out of train and validation`]
      : [];
  return { ...parts, hashes: hashParts(parts), warnings };
}

/** Of the parts that both training and validation name, the questions that are for training alone. */
function shareOut(questions: readonly Question[], wanted: SplitParts, shares: SplitSettings): ReadonlySet<Question> {
  const both = questions.filter(({ part }) => {
    const name = part === undefined ? "" : partName(part);
    return wanted.train.includes(name) && wanted.validation.includes(name);
  });
  if (both.length === 0) return new Set();
  const train = shares.train / (shares.train + shares.validation);
  return new Set(splitQuestions(both, { train, validation: 1 - train, test: 0, seed: shares.seed }).train);
}

function checkParts(questions: readonly Question[], wanted: SplitParts): void {
  const there = new Set(questions.flatMap(({ part }) => (part === undefined ? [] : [partName(part)])));
  const all = [...wanted.train, ...wanted.validation, ...wanted.test];
  const missing = all.find((name) => !there.has(name));
  const twice = wanted.test.find((name) => wanted.train.includes(name) || wanted.validation.includes(name));
  if (missing === undefined && twice === undefined) return;
  const problem =
    missing === undefined ? `the part "${twice}" is to be both learned and tested` : `there is no part "${missing}"`;
  throw new ColloquyError("split/parts", `split.parts: ${problem}`, {
    hint:
      there.size > 0
        ? `The parts of these questions: ${[...there].sort().join(", ")}.`
        : "These questions come in no parts: split them by shares.",
  });
}

const hashParts = (parts: Omit<Split, "hashes">): Split["hashes"] => ({
  train: hashQuestions(parts.train),
  validation: hashQuestions(parts.validation),
  test: hashQuestions(parts.test),
});

/** Of what is asked and what is right, in whatever order and under whatever ids. */
export function hashQuestions(questions: readonly Question[]): string {
  const lines = questions.map((question) => JSON.stringify([questionKey(question), question.gold]));
  return shortHash(lines.sort().join("\n"), 16);
}
