import { ColloquyError } from "../base/errors.ts";
import { groupBy } from "../base/group-by.ts";
import { shortHash } from "../base/hash.ts";
import { createRng } from "../base/rng.ts";
import type { Question } from "../contracts/task.ts";
import { questionKey } from "./choice.ts";

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
  return {
    ...parts,
    hashes: { train: hashPart(parts.train), validation: hashPart(parts.validation), test: hashPart(parts.test) },
  };
}

/** Of what is asked and what is right, in whatever order and under whatever ids. */
function hashPart(questions: readonly Question[]): string {
  const lines = questions.map((question) => JSON.stringify([questionKey(question), question.gold]));
  return shortHash(lines.sort().join("\n"), 16);
}
