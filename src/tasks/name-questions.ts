import { ColloquyError } from "../base/errors.ts";
import { groupBy } from "../base/group-by.ts";
import type { DraftedFile } from "./draft-files.ts";

/**
 * Ids as `names[file][record]`: from the field of ids, or else the file's name and the line. Two questions with one id are an
 * error where somebody named the field; where it was only found, ids are made instead.
 * @throws ColloquyError `task/id`
 */
export function nameQuestions(files: readonly DraftedFile[], isNamed: boolean, warnings: string[]): string[][] {
  const all = files.flatMap(({ drafts }) => drafts);
  const made = files.map(({ file, drafts }) => drafts.map(({ record }) => `${file.stem}/${record.number}`));
  const given = all.filter(({ draft }) => draft.id !== undefined);
  if (given.length === 0) return made;
  const twice = [...groupBy(given, ({ draft }) => draft.id).values()].find((group) => group.length > 1);
  if (twice === undefined) return files.map(({ drafts }, f) => drafts.map(({ draft }, i) => draft.id ?? made[f][i]));
  const [first, second] = twice.map(({ record }) => `${record.file}, ${record.place}`);
  const problem = `two questions have the id "${twice[0].draft.id}": ${first}, and ${second}`;
  if (isNamed) {
    throw new ColloquyError("task/id", problem, {
      hint: "Name one file or one part; in a file of your own without fields.id, ids are made from file and line.",
    });
  }
  warnings.push(`${problem}; ids are made from file and line`);
  return made;
}
