import { textAt, valueAt } from "../files/data-record.ts";
import { type Benchmark, hasFields, optional } from "./benchmark.ts";
import { optionsAt } from "./read-options.ts";

export const medQa: Benchmark = {
  summary: "medical licence examinations, 4 or 5 options",
  kind: "choice",
  version: "medqa@1",
  card: {
    title: "MedQA: questions of medical board examinations (Jin et al. 2020)",
    sources: [
      {
        url: "https://github.com/jind11/MedQA",
        commit: "7fd26946e974654e2893d5933fbe1a3fa8f1962d",
        files: "questions/US/{train,dev,test}.jsonl of the archive that its README links to; 4_options beside it",
      },
    ],
    licence: "MIT",
    counts: { train: 10178, dev: 1272, test: 1273 },
    fields: ["question, options (texts by letter, or a list of key and value), answer_idx (letter), meta_info"],
    notes: "The archive is no part of the repository: these readers were tried on its form, not on its files.",
  },
  forms: [
    {
      fits: hasFields("question", "options", "answer_idx"),
      read: (record) => ({
        text: textAt(record, "question"),
        options: optionsAt(record, "options"),
        answer: valueAt(record.fields, "answer_idx"),
        answerField: "answer_idx",
        ...optional(record, "subject", "meta_info"),
      }),
    },
  ],
};
