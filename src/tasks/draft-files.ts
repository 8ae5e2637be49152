import { basename } from "node:path";
import { ColloquyError } from "../base/errors.ts";
import type { Benchmark, Form } from "./benchmarks/index.ts";
import type { Drafted } from "./choice-answers.ts";
import type { DataRecord } from "./files/data-record.ts";
import { type DataFile, partName } from "./files/list-data-files.ts";
import { readRecords } from "./files/read-records.ts";
import { ownForm } from "./own-file.ts";
import type { TaskSettings } from "./task-settings.ts";

/** A file with its records understood as drafts. */
export interface DraftedFile {
  readonly file: DataFile;
  readonly drafts: readonly Drafted[];
}

/**
 * Reads the files of the wanted parts; without a benchmark by the names of their fields.
 * @throws ColloquyError `task/parts`, `task/form`, and what reading throws
 */
export async function draftFiles(
  files: readonly DataFile[],
  settings: TaskSettings,
  benchmark: Benchmark | undefined,
  warnings: string[],
): Promise<DraftedFile[]> {
  const wanted = settings.parts?.map(partName);
  const fields = settings.fields ?? {};
  const names = Object.values(fields)
    .flat()
    .filter((name) => typeof name === "string");
  const found = new Set<string>();
  const drafted: DraftedFile[] = [];
  for (const file of chooseFiles(files, benchmark)) {
    if (file.part !== undefined) found.add(file.part);
    if (wanted !== undefined && file.part !== undefined && !wanted.includes(file.part)) continue;
    const { format = "auto", header = "auto" } = settings;
    const records = await readRecords(file.path, { format, header, names });
    const own = benchmark === undefined ? ownForm(records, fields) : undefined;
    if (own?.note !== undefined) warnings.push(own.note);
    const form = own ?? chooseForm(benchmark!, records[0], settings.name!);
    for (const record of records) if (record.part !== undefined) found.add(partName(record.part));
    const kept = records.filter((record) => wanted?.includes(partOf(file, record) ?? "") ?? true);
    if (kept.length > 0) drafted.push({ file, drafts: kept.map((record) => ({ record, draft: form.read(record) })) });
  }
  const missing = wanted?.find((part) => !found.has(part));
  if (missing === undefined && drafted.length > 0) return drafted;
  throw new ColloquyError("task/parts", `${settings.file} has no part "${missing ?? wanted?.join(", ")}"`, {
    hint:
      found.size > 0 ? `Its parts: ${[...found].sort().join(", ")}.` : "No file or folder there is named for a part.",
  });
}

/** In a folder of several benchmarks, those of this one. */
function chooseFiles(files: readonly DataFile[], benchmark: Benchmark | undefined): readonly DataFile[] {
  const own = files.filter(({ path }) => benchmark?.files?.test(basename(path)) ?? true);
  return own.length > 0 ? own : files;
}

/** The part a record comes from: as it says itself, or else as its file is called. */
export const partOf = (file: DataFile, record: DataRecord): string | undefined =>
  record.part === undefined ? file.part : partName(record.part);

function chooseForm({ forms, card }: Benchmark, first: DataRecord, name: string): Form {
  const form = forms.find(({ fits }) => fits(first.fields));
  if (form !== undefined) return form;
  const keys = Object.keys(first.fields).slice(0, 30).join(", ");
  throw new ColloquyError(
    "task/form",
    `${first.file}, ${first.place}: this is no record of ${name}; its fields: ${keys}`,
    {
      hint: `The forms of ${name}: ${card.fields.join(" | ")}. Any other file is read without a name, by its fields.`,
    },
  );
}
