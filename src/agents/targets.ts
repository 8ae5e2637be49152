import { createRng } from "../base/rng.ts";
import { kindOf, optionLetter, type Question } from "../contracts/task.ts";
import { wrongNumbers } from "./wrong-numbers.ts";

/** What a program can be told to get wrong: faults that a reader may overlook and a test will not. */
const faults: readonly string[] = [
  "it fails on empty input",
  "it is off by one in the last step",
  "it treats negative numbers like positive ones",
  "it loses duplicates that should be kept",
  "it gives the wrong result where two values are equal",
  "it changes the order of results where the order matters",
];

/**
 * Wrong answers that a language model can argue for, the same ones at every call: the other letters of a choice; a few
 * plausible numbers; faults of a program, in words. Words cannot be attacked: nobody knows what is not the gold answer.
 */
export function wrongAnswers(question: Question): readonly string[] {
  switch (kindOf(question)) {
    case "choice":
      return question.options.map((_, index) => optionLetter(index)).filter((letter) => letter !== question.gold);
    case "number":
      return wrongNumbers(question.gold, createRng(question.id).fork("wrong numbers"));
    case "code":
      return faults;
    case "text":
      return [];
  }
}
