import { basename } from "node:path";
import { type DataRecord, textAt, valueAt } from "../files/data-record.ts";
import { type Benchmark, type Form, hasFields, optional } from "./benchmark.ts";
import { optionsAt, optionsOf } from "./read-options.ts";

/** Question, four options and a letter, in columns of these names. */
const columns = (question: string, options: readonly string[], answer: string): Form => ({
  fits: (fields) =>
    hasFields(question, ...options, answer)(fields) && (question !== "0" || Object.keys(fields).length === 6),
  read: (record) => ({
    text: textAt(record, question),
    options: optionsOf(record, options),
    answer: valueAt(record.fields, answer),
    answerField: answer,
    ...subjectOf(record),
  }),
});

const list: Form = {
  fits: hasFields("question", "choices", "answer"),
  read: (record) => ({
    text: textAt(record, "question"),
    options: optionsAt(record, "choices"),
    answer: valueAt(record.fields, "answer"),
    answerField: "answer",
    answerBase: 0,
    ...subjectOf(record),
  }),
};

/** As the record says, or else as its file is called: `anatomy_test.csv`. */
function subjectOf(record: DataRecord): { readonly subject?: string } {
  const named = optional(record, "subject", "subject");
  const [, subject] = /^(.+)_(?:dev|val|test)\.csv/i.exec(basename(record.file)) ?? [];
  return named.subject !== undefined || subject === undefined ? named : { subject };
}

export const mmlu: Benchmark = {
  summary: "57 subjects from school to profession, 4 options",
  kind: "choice",
  version: "mmlu@1",
  card: {
    title: "MMLU: Measuring Massive Multitask Language Understanding (Hendrycks et al. 2021)",
    sources: [
      {
        url: "https://github.com/lu-wang-dl/chain-of-thought-hub",
        commit: "d52bae89527daca8a354f97561438f12725df780",
        files: "MMLU/data/{dev,val,test}/<subject>_<part>.csv",
      },
      { url: "https://github.com/hendrycks/test", files: "data.tar, linked from its README" },
      { url: "https://huggingface.co/datasets/cais/mmlu", files: "all/{dev,validation,test}-*.parquet" },
    ],
    licence: "MIT",
    counts: { dev: 285, val: 1531, test: 14042 },
    fields: [
      "CSV without a header: question, four options, letter; the subject is the name of the file",
      "CSV with the header question,A,B,C,D,answer",
      "question, choices, answer (0 to 3), subject",
    ],
    notes: "A limit takes the first questions, which are all of the first subject.",
  },
  forms: [columns("0", ["1", "2", "3", "4"], "5"), columns("question", ["A", "B", "C", "D"], "answer"), list],
};
