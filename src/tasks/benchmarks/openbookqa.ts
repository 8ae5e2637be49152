import type { Benchmark } from "./benchmark.ts";
import { numberedAnswers } from "./numbered-answers.ts";
import { flatChoices, stemAndChoices } from "./stem-and-choices.ts";

export const openBookQa: Benchmark = {
  summary: "elementary science with common knowledge, 4 options",
  kind: "choice",
  version: "openbookqa@1",
  card: {
    title: "OpenBookQA: elementary science questions (Mihaylov et al. 2018)",
    sources: [
      {
        url: "https://github.com/AGI-Edgerunners/LLM-Adapters",
        commit: "816657208af4db747803f87ba40a4c71383fed7a",
        files: "dataset/openbookqa/test.json",
      },
      { url: "https://allenai.org/data/open-book-qa", files: "OpenBookQA-V1-Sep2018/Data/Main/{train,dev,test}.jsonl" },
      { url: "https://huggingface.co/datasets/allenai/openbookqa", files: "main/*.parquet" },
    ],
    licence: "Apache-2.0 (github.com/allenai/OpenBookQA)",
    counts: { train: 4957, dev: 500, test: 500 },
    fields: [
      "instruction (question and options in one text), answer (answerN)",
      "id, question.stem, question.choices[].text, question.choices[].label, answerKey",
      "id, question_stem, choices.text, choices.label, answerKey",
    ],
  },
  files: /openbook|obqa/i,
  forms: [numberedAnswers, stemAndChoices, flatChoices("question_stem")],
};
