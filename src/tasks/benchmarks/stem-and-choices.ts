import { textAt, valueAt } from "../files/data-record.ts";
import { type Form, hasFields, optional } from "./benchmark.ts";
import { optionsAt } from "./read-options.ts";

/** The form of the Allen Institute's own files: a stem with labelled choices. Labels are A–E, or 1–5 in some ARC questions. */
export const stemAndChoices: Form = {
  fits: (fields) => valueAt(fields, "question.stem") !== undefined && hasFields("answerKey")(fields),
  read: (record) => ({
    text: textAt(record, "question.stem"),
    options: optionsAt(record, "question.choices"),
    answer: valueAt(record.fields, "answerKey"),
    answerField: "answerKey",
    ...optional(record, "id", "id"),
  }),
};

/** The form on the Hugging Face hub: the stem under `key`, texts and labels side by side. */
export const flatChoices = (key: "question" | "question_stem"): Form => ({
  fits: (fields) => typeof fields[key] === "string" && hasFields("choices", "answerKey")(fields),
  read: (record) => ({
    text: textAt(record, key),
    options: optionsAt(record, "choices"),
    answer: valueAt(record.fields, "answerKey"),
    answerField: "answerKey",
    ...optional(record, "id", "id"),
  }),
});
