import { fieldError, show, textAt, valueAt } from "../files/data-record.ts";
import { type Benchmark, hasFields, optional } from "./benchmark.ts";

export const multiArith: Benchmark = {
  summary: "arithmetic in several steps, in words, a number",
  kind: "number",
  version: "multiarith@1",
  card: {
    title: "MultiArith: arithmetic in words with several steps (Roy & Roth 2015)",
    sources: [
      {
        url: "https://github.com/kojima-takeshi188/zero_shot_cot",
        commit: "5ef330fcdeec0cd26aee27943504f91f8ec1c33c",
        files: "dataset/MultiArith/MultiArith.json",
      },
    ],
    licence: "none in that repository; ODC-By in AGI-Edgerunners/LLM-Adapters, which has the same file",
    counts: { all: 600 },
    fields: ["iIndex, sQuestion, lSolutions (one number)"],
  },
  forms: [
    {
      fits: hasFields("sQuestion", "lSolutions"),
      read: (record) => {
        const solutions = valueAt(record.fields, "lSolutions");
        if (!Array.isArray(solutions) || solutions.length !== 1) {
          throw fieldError(record, "lSolutions", `should hold one number, not ${show(solutions)}`);
        }
        return {
          text: textAt(record, "sQuestion").trim(),
          answer: solutions[0],
          answerField: "lSolutions",
          ...optional(record, "id", "iIndex"),
        };
      },
    },
  ],
};
