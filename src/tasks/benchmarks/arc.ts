import type { Benchmark, TaskCard } from "./benchmark.ts";
import { numberedAnswers } from "./numbered-answers.ts";
import { flatChoices, stemAndChoices } from "./stem-and-choices.ts";

const forms = [numberedAnswers, stemAndChoices, flatChoices("question")];

const card = (set: "Challenge" | "Easy", counts: TaskCard["counts"]): TaskCard => ({
  title: `ARC ${set} Set: science questions of American schools, three to five options (Clark et al. 2018)`,
  sources: [
    {
      url: "https://github.com/AGI-Edgerunners/LLM-Adapters",
      commit: "816657208af4db747803f87ba40a4c71383fed7a",
      files: `dataset/ARC-${set}/test.json`,
    },
    { url: "https://allenai.org/data/arc", files: `ARC-${set}/ARC-${set}-{Train,Dev,Test}.jsonl` },
    { url: "https://huggingface.co/datasets/allenai/ai2_arc", files: `ARC-${set}/*.parquet` },
  ],
  licence: "CC BY-SA 4.0",
  counts,
  fields: [
    "instruction (question and options in one text), answer (answerN)",
    "id, question.stem, question.choices[].text, question.choices[].label, answerKey",
    "id, question, choices.text, choices.label, answerKey",
  ],
});

export const arcChallenge: Benchmark = {
  summary: "science questions that simple methods get wrong, 3 to 5 options",
  kind: "choice",
  version: "arc-challenge@1",
  card: card("Challenge", { train: 1119, dev: 299, test: 1172 }),
  files: /challenge/i,
  forms,
};

export const arcEasy: Benchmark = {
  summary: "science questions of American schools, 3 to 5 options",
  kind: "choice",
  version: "arc-easy@1",
  card: card("Easy", { train: 2251, dev: 570, test: 2376 }),
  files: /easy/i,
  forms,
};
