import { existsSync, readdirSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { parse } from "csv-parse/sync";
import { z } from "zod";
import { ColloquyError } from "../../base/errors.ts";
import { readText } from "../../base/files.ts";
import { parseJson } from "../../base/json.ts";
import { readJsonLines } from "../../base/jsonl.ts";
import type { Question } from "../../contracts/task.ts";
import { readChoice } from "../../tasks/reading/read-choice.ts";
import type { BankUtterance, Debate } from "../bank.ts";
import { type Importer, reportImport } from "./importer.ts";

/** The seven roles, in the order of the recording. */
const roles = ["Economist", "Doctor", "Lawyer", "Mathematician", "Psychologist", "Programmer", "Historian"];

/** One team run: `[agent][round]`, a reply or `null`. */
const teamRun = z.array(z.array(z.string().nullable()).min(1)).length(roles.length);
/** file key → run folder → row of `test/<subject>_test.csv` for every line. */
const rowMap = z.record(z.string(), z.record(z.string(), z.array(z.int().min(0).nullable())));

/**
 * Team runs of github.com/SALT-NLP/DyLAN on MMLU. The recording does not hold its questions: `questions` is the MMLU
 * folder (with `test/<subject>_test.csv`) and `map` the file that gives the row of every line. Lines without a row are
 * counted and left out.
 *
 * An agent asked in round 2 was shown the replies of all who spoke in round 1; in round 3 only two agents were asked and
 * shown all of round 2. Teams stop as soon as five of seven agree, which leaves `null` for the rest.
 */
export const importDylan: Importer = (path, { questions, map }) => {
  if (questions === undefined || map === undefined) {
    throw new ColloquyError("import/options", "a dylan recording does not hold its questions", {
      hint: "Add --questions FOLDER (MMLU, with its test folder) and --map FILE.",
    });
  }
  const rows = readMap(map);
  const runFolder = basename(resolve(path));
  const readSubject = subjectReader(questions);
  const warnings: string[] = [];
  const debates: Debate[] = [];
  let withoutQuestion = 0;
  for (const name of listRuns(path)) {
    const key = name.replace(/_\d+\.json$/, "");
    const rowOf = rows[key]?.[runFolder];
    if (rowOf === undefined) {
      throw new ColloquyError("import/map", `${map} says nothing about ${key} in ${runFolder}`, {
        hint: "Keep the folder's name as published: the map goes by it.",
      });
    }
    const { records, torn } = readJsonLines(join(path, name));
    if (torn) warnings.push(`${name}: the last line was cut off and has been left out`);
    if (records.length > rowOf.length) {
      throw new ColloquyError("import/map", `${name} has ${records.length} lines, ${map} knows ${rowOf.length}`);
    }
    for (const [line, record] of records.entries()) {
      const row = rowOf[line];
      if (row === null) {
        withoutQuestion++;
        continue;
      }
      const parsed = teamRun.safeParse(record);
      if (!parsed.success) {
        throw new ColloquyError("import/record", `${name}, line ${line + 1} is no run of ${roles.length} agents`);
      }
      const question = readSubject(key.replace(/_test(?:_\d+)?$/, ""), row);
      debates.push(toDebate(parsed.data, question, `${key}#${line + 1}`));
    }
  }
  const bank = { source: "github.com/SALT-NLP/DyLAN", model: "gpt-3.5-turbo", debates, warnings };
  return { bank, report: reportImport(bank, withoutQuestion) };
};

function listRuns(path: string): string[] {
  const names = existsSync(path) ? readdirSync(path).filter((name) => name.endsWith(".json")) : [];
  if (names.length === 0) throw new ColloquyError("import/nothing", `no .json files found in ${path}`);
  return names.sort();
}

function readMap(path: string): z.infer<typeof rowMap> {
  const parsed = rowMap.safeParse(parseJson(readText(path), path));
  if (parsed.success) return parsed.data;
  throw new ColloquyError("import/map", `${path} is no map from files to benchmark rows`);
}

/** Questions by subject and row of the headerless `test/<subject>_test.csv`; each file is read once. */
function subjectReader(folder: string): (subject: string, row: number) => Question {
  const read = new Map<string, string[][]>();
  return (subject, row) => {
    const file = join(folder, "test", `${subject}_test.csv`);
    const rows = read.get(subject) ?? (parse(readText(file), { skip_empty_lines: true }) as string[][]);
    read.set(subject, rows);
    if (rows[row]?.length !== 6) {
      throw new ColloquyError(
        "import/question",
        `${file} has no row ${row} with a question, four options and an answer`,
      );
    }
    const [text, ...options] = rows[row].slice(0, -1);
    return { id: `mmlu/test/${subject}/${row}`, text, options, gold: rows[row][5].trim(), subject };
  };
}

function toDebate(replies: z.infer<typeof teamRun>, question: Question, run: string): Debate {
  const asked = Math.max(...replies.map((rounds) => rounds.findLastIndex((reply) => reply !== null))) + 1;
  const rounds = Array.from({ length: Math.max(asked, 1) }, (_, t) =>
    replies.map((reply) => readUtterance(reply[t] ?? null, question.options)),
  );
  return {
    run,
    question,
    agents: roles.map((role) => ({ role, adversary: false, target: null })),
    rounds,
    heard: "all-previous",
  };
}

function readUtterance(text: string | null, options: readonly string[]): BankUtterance | null {
  if (text === null) return null;
  const { answer, status } = readChoice(text, options);
  return { text, answer, status };
}
