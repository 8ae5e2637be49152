import { textAt, valueAt } from "../files/data-record.ts";
import { type Benchmark, hasFields, optional } from "./benchmark.ts";

export const svamp: Benchmark = {
  summary: "simple arithmetic in words that misleads, a number",
  kind: "number",
  version: "svamp@1",
  card: {
    title: "SVAMP: simple variations on arithmetic in words (Patel et al. 2021)",
    sources: [
      {
        url: "https://github.com/arkilpatel/SVAMP",
        commit: "689d7ccac74b9983a2ac7cc3b264f441b99e7c53",
        files: "SVAMP.json",
      },
    ],
    licence: "MIT",
    counts: { all: 1000 },
    fields: ["ID, Body, Question, Answer (number), Type"],
    notes: "The text is body and question, joined by a blank.",
  },
  forms: [
    {
      fits: hasFields("Body", "Question", "Answer"),
      read: (record) => ({
        text: `${textAt(record, "Body").trim()} ${textAt(record, "Question").trim()}`,
        answer: valueAt(record.fields, "Answer"),
        answerField: "Answer",
        ...optional(record, "id", "ID"),
        ...optional(record, "subject", "Type"),
      }),
    },
  ],
};
