import { basename } from "node:path";
import { ColloquyError, suggest } from "../base/errors.ts";
import { groupBy } from "../base/group-by.ts";
import type { AnswerKind, Question } from "../contracts/task.ts";
import { type Benchmark, benchmarks } from "./benchmarks/index.ts";
import { questionKey } from "./choice.ts";
import { type DraftedFile, draftFiles, partOf } from "./draft-files.ts";
import { type DataRecord, fieldError } from "./files/data-record.ts";
import { listDataFiles } from "./files/list-data-files.ts";
import { goldAnswers, guessKind } from "./gold-answers.ts";
import { nameQuestions } from "./name-questions.ts";
import { hashQuestions } from "./split.ts";
import type { TaskSettings } from "./task-settings.ts";

/** Questions ready to be asked. */
export interface OpenTask {
  readonly name: string;
  /** `mmlu@1`; of a file of one's own `file@` and a hash of what is asked and what is right. */
  readonly version: string;
  readonly questions: Question[];
  /** What a reader should know about the file: assumptions, copies. */
  readonly warnings: readonly string[];
}

/**
 * Opens a benchmark, or any file by the names of its fields.
 * @throws ColloquyError `task/…` or `file/…` that names the file and, where there is one, line and field
 */
export async function openTask(settings: TaskSettings): Promise<OpenTask> {
  const benchmark = settings.name === undefined ? undefined : findBenchmark(settings.name, settings);
  const { files, warnings } = listDataFiles(settings.file);
  const drafted = await draftFiles(files, settings, benchmark, warnings);
  const kind = benchmark?.kind ?? settings.kind ?? guessKind(drafted);
  if (benchmark === undefined) warnings.push(...warnOfBenchmark(drafted, kind));
  const ids = nameQuestions(drafted, settings.fields?.id !== undefined || benchmark !== undefined, warnings);
  const all = drafted.flatMap(({ file, drafts }, f) => {
    const golds = goldAnswers(drafts, kind, settings, benchmark !== undefined, warnings);
    return drafts.map(({ record, draft }, i): Question => {
      const part = partOf(file, record);
      return {
        id: ids[f][i],
        text: checkText(record, draft.text),
        options: kind === "choice" ? draft.options!.texts : [],
        gold: golds[i],
        kind,
        ...(draft.subject !== undefined && { subject: draft.subject }),
        ...(draft.code !== undefined && { code: draft.code }),
        ...(part !== undefined && { part }),
      };
    });
  });
  const questions = all.slice(0, settings.limit ?? all.length);
  warnOfCopies(questions, warnings);
  const name = settings.name ?? basename(settings.file).replace(/(?<=.)\..*$/, "");
  return { name, version: benchmark?.version ?? `file@${hashQuestions(questions)}`, questions, warnings };
}

function findBenchmark(name: string, { fields = {}, kind }: TaskSettings): Benchmark {
  if (!Object.hasOwn(benchmarks, name)) {
    throw new ColloquyError("task/unknown", `there is no benchmark "${name}"`, {
      hint: `${suggest(name, Object.keys(benchmarks))} A file of your own needs no name, only its fields.`,
    });
  }
  const benchmark: Benchmark = benchmarks[name as keyof typeof benchmarks];
  const [field] = Object.entries(fields).find(([, value]) => value !== undefined) ?? [];
  const given =
    field !== undefined ? `fields.${field}` : kind !== undefined && kind !== benchmark.kind ? "kind" : undefined;
  if (given === undefined) return benchmark;
  throw new ColloquyError("task/settings", `${given} cannot be set for ${name}, which knows its own`, {
    hint: "Leave it out; or leave out the name, and the file is read as one of your own.",
  });
}

/** A benchmark's file that is read without its name may lose its options, its tests or its answers. */
function warnOfBenchmark(files: readonly DraftedFile[], kind: AnswerKind): string[] {
  const { file, fields } = files[0].drafts[0].record;
  const entries: [string, Benchmark][] = Object.entries(benchmarks);
  const [name, like] = entries.find(([, { forms }]) => forms.some(({ fits }) => fits(fields))) ?? [];
  if (like === undefined || like.kind === kind) return [];
  return [
    `${file} looks like ${name}, and is read as questions of the kind "${kind}"; to read it as ${name}, say so: name: ${name}`,
  ];
}

function checkText(record: DataRecord, text: string): string {
  if (text.trim() !== "") return text;
  throw fieldError(record, "question", "is empty");
}

function warnOfCopies(questions: readonly Question[], warnings: string[]): void {
  const groups = [...groupBy(questions, questionKey).values()].filter((group) => group.length > 1);
  if (groups.length === 0) return;
  const copies = groups.reduce((sum, group) => sum + group.length - 1, 0);
  const torn = groups.filter((group) => new Set(group.flatMap(({ gold }) => gold ?? [])).size > 1).length;
  const conflict = torn > 0 ? `; ${torn} of them are answered differently elsewhere` : "";
  warnings.push(`${copies} of ${questions.length} questions are copies of others (equal text and options)${conflict}`);
}
