import { z } from "zod";
import { tasks } from "../tasks/index.ts";

/*
 * What a recipe may say of its questions: a benchmark by name, or any file with the names of its fields. Simulated and
 * recorded populations bring questions of their own.
 */

const names = Object.keys(tasks).filter((name) => name !== "synthetic");
const field = z.string().min(1).describe("a column, a key, or a dotted path; a number where a CSV file has no header");
const fields = z.union([field, z.array(field).min(1)]);
const parts = z.array(z.string().min(1)).min(1);

export const taskRecipe = z
  .strictObject({
    name: z
      .enum(names as [string, ...string[]])
      .optional()
      .describe("a benchmark whose files are known; see: colloquy list tasks"),
    file: z.string().min(1).describe("a file, or a folder of files"),
    format: z.enum(["auto", "csv", "tsv", "jsonl", "json", "parquet"]).default("auto"),
    header: z
      .union([z.boolean(), z.literal("auto")])
      .default("auto")
      .describe("whether a CSV file has one"),
    kind: z
      .enum(["choice", "number", "code", "text"])
      .optional()
      .describe("of the answers; default: what they look like"),
    fields: z
      .strictObject({
        question: fields.optional(),
        options: fields.optional().describe("one list, or one field an option"),
        answer: field.optional(),
        answerBase: z
          .union([z.literal(0), z.literal(1)])
          .optional()
          .describe("what the first option is called in numbers"),
        id: field.optional(),
        subject: field.optional(),
      })
      .prefault({}),
    parts: parts.optional().describe("of a folder's parts (train, dev, val, test) only these"),
    limit: z.int().min(1).nullable().default(null).describe("at most this many questions"),
  })
  .describe("the questions that language models are asked");

/** Parts of a benchmark that are its own split. */
export const partsRecipe = z
  .strictObject({ train: parts, validation: parts, test: parts })
  .optional()
  .describe("the benchmark's own parts; one named for both training and validation is shared between them");
