import type { AnswerKind } from "../contracts/task.ts";
import type { FileFormat } from "./files/sniff-format.ts";

/** What a recipe says of its questions: where the file is, and, unless a benchmark is named, what its fields are called. */
export interface TaskSettings {
  /** A benchmark of the table; absent: a file of one's own. */
  readonly name?: string;
  /** A file, or a folder whose data files are read in order of name. */
  readonly file: string;
  /** `auto`, the default: told by content. */
  readonly format?: "auto" | FileFormat;
  /** Of CSV files. `auto`, the default: the first row is one where it holds a name in `fields`, or usual names. */
  readonly header?: boolean | "auto";
  /** Default: `choice` where there are options, else `number` where all answers are, else `text`. */
  readonly kind?: AnswerKind;
  readonly fields?: FieldNames;
  /** Only questions of these parts (`train`, `dev`, `val`, `test`, told by folder or file name). Absent: all. */
  readonly parts?: readonly string[];
  /** Only the first questions, in order of the files. */
  readonly limit?: number | null;
}

/**
 * Names of fields: keys, columns, dotted paths (`question.stem`, `choices.text`), or numbers of columns from 0 where a CSV
 * file has no header. What is not named is looked for under its usual names.
 */
export interface FieldNames {
  /** Several are joined by a blank. */
  readonly question?: string | readonly string[];
  /** One field that holds them all, or a list with a field an option. */
  readonly options?: string | readonly string[];
  readonly answer?: string;
  /** What the first option is called where answers are numbers. Absent: what fits the file, and 0 in doubt. */
  readonly answerBase?: 0 | 1;
  readonly id?: string;
  readonly subject?: string;
}
