import { ColloquyError } from "../base/errors.ts";
import { kindOf, type Question } from "../contracts/task.ts";
import { normalizeNumber } from "./reading/normalize-number.ts";
import { normalizeWords } from "./reading/read-words.ts";

/**
 * Whether an answer is the gold one in the normal form of its kind: letters without case, numbers by value, words without
 * case, spacing, leading article and closing punctuation. Never right: no answer, a question without gold, and an answer
 * or gold that has no normal form.
 * @throws ColloquyError `task/grade-code` for a program, which is judged by running it
 */
export function grade(question: Pick<Question, "id" | "kind" | "options" | "gold">, answer: string | null): boolean {
  const kind = kindOf(question);
  if (kind === "code") {
    throw new ColloquyError(
      "task/grade-code",
      `the program for question "${question.id}" cannot be judged by comparing`,
      {
        hint: "Programs are judged by running them against the tests of the question.",
      },
    );
  }
  if (answer === null || question.gold === null) return false;
  const given = normalForms[kind](answer);
  return given !== null && given === normalForms[kind](question.gold);
}

const normalForms: Readonly<Record<"choice" | "number" | "text", (answer: string) => string | null>> = {
  choice: (answer) => /^\s*([a-z])\s*$/i.exec(answer)?.[1].toUpperCase() ?? null,
  number: normalizeNumber,
  text: (answer) => normalizeWords(answer) || null,
};
