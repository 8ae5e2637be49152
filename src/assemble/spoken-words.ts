import { describeError } from "../base/errors.ts";
import type { Question } from "../contracts/task.ts";
import { bankQuestions, indexUtterances, readBank } from "../populations/bank.ts";
import { openTask } from "../tasks/open-task.ts";
import { families, syntheticQuestions } from "../tasks/synthetic.ts";
import { findTaskFile } from "./language-models.ts";
import type { Recipe } from "./recipe.ts";

/** The words behind the records of a run, which name questions by id and recorded utterances by their source. */
export interface SpokenWords {
  question(id: string): Question | undefined;
  utterance(source: string): string | undefined;
  /** Where they could not be had: what is missing, and why; a sentence or two. */
  readonly missing?: string;
}

const known = (
  questions: readonly Question[],
  utterance: SpokenWords["utterance"] = () => undefined,
): Pick<SpokenWords, "question" | "utterance"> => {
  const byId = new Map(questions.map((question) => [question.id, question]));
  return { question: (id) => byId.get(id), utterance };
};

/** Finds the words of a run again, where its recipe says they are: it never fails, it says what is gone. */
export async function findWords({ population, task }: Pick<Recipe, "population" | "task">): Promise<SpokenWords> {
  try {
    if (population.kind === "simulated") {
      const { seed, questions } = population;
      return known(families.flatMap((family) => syntheticQuestions({ seed, count: questions[family], family })));
    }
    if (population.kind === "recorded") {
      const bank = readBank(population.bank);
      const utterances = indexUtterances(bank);
      return known(bankQuestions(bank), (source) => utterances.get(source)?.text);
    }
    const { questions } = await openTask({ ...task!, file: findTaskFile(task!.file) });
    return known(questions);
  } catch (error) {
    const what = population.kind === "recorded" ? "What was asked and said" : "What was asked";
    const why = describeError(error).replace(/\s+/g, " ");
    return { ...known([]), missing: `${what} is not at hand: ${why}${/[.!?]$/.test(why) ? "" : "."}` };
  }
}
