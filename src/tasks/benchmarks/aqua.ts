import { optionLetter } from "../../contracts/task.ts";
import { textAt, valueAt } from "../files/data-record.ts";
import { type Benchmark, hasFields } from "./benchmark.ts";
import { type ChoiceTexts, optionsAt } from "./read-options.ts";

/** `A)21` → `21`, where every option begins with its own letter. */
function withoutLetters({ texts }: ChoiceTexts): ChoiceTexts {
  const isLettered = texts.every((text, index) => text.startsWith(`${optionLetter(index)})`));
  return { texts: isLettered ? texts.map((text) => text.slice(2).trim()) : texts };
}

export const aqua: Benchmark = {
  summary: "algebra in words, 5 options",
  kind: "choice",
  version: "aqua@1",
  card: {
    title: "AQuA-RAT: algebra questions with rationales (Ling et al. 2017)",
    sources: [
      {
        url: "https://github.com/google-deepmind/AQuA",
        commit: "26b64ed1f22208c6742f47df547dfd65088ec30d",
        files: "{dev,test}.json, and train.json (97,467)",
      },
    ],
    licence: "Apache-2.0",
    counts: { dev: 254, test: 254 },
    fields: ["question, options (each with its letter before it), correct (letter)"],
  },
  forms: [
    {
      fits: hasFields("question", "options", "correct"),
      read: (record) => ({
        text: textAt(record, "question"),
        options: withoutLetters(optionsAt(record, "options")),
        answer: valueAt(record.fields, "correct"),
        answerField: "correct",
      }),
    },
  ],
};
