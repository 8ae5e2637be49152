import { textAt } from "../files/data-record.ts";
import { type Benchmark, finalAnswer, hasFields } from "./benchmark.ts";

export const gsm8k: Benchmark = {
  summary: "grade school mathematics in words, a number",
  kind: "number",
  version: "gsm8k@1",
  card: {
    title: "GSM8K: grade school mathematics in words (Cobbe et al. 2021)",
    sources: [
      {
        url: "https://github.com/openai/grade-school-math",
        commit: "3101c7d5072418e28b9008a6636bde82a006892c",
        files: "grade_school_math/data/{train,test}.jsonl",
      },
    ],
    licence: "MIT",
    counts: { train: 7473, test: 1319 },
    fields: ["question, answer (a worked solution that ends in #### and the number)"],
    notes: "The gsm8k.jsonl of several multi-agent repositories is this test file.",
  },
  forms: [
    {
      fits: (fields) => hasFields("question", "answer")(fields) && String(fields.answer).includes("####"),
      read: (record) => ({
        text: textAt(record, "question"),
        answer: finalAnswer(record, "answer", textAt(record, "answer")),
        answerField: "answer",
      }),
    },
  ],
};
