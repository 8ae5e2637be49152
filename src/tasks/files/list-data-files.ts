import { readdirSync, statSync } from "node:fs";
import { basename, join, relative, resolve, sep } from "node:path";
import { ColloquyError } from "../../base/errors.ts";
import { groupBy } from "../../base/group-by.ts";

/** A data file, with what its path says. */
export interface DataFile {
  readonly path: string;
  /** Its name without endings: `anatomy_test`. Where two files of a folder share it, with the folders between. */
  readonly stem: string;
  /** `train`, `dev`, `val` or `test`, as its name says, or else its folders. */
  readonly part?: string;
}

/** Endings of data files, in order of trust where a folder has the same file in several formats. */
const endings = /\.(jsonl|ndjson|json|parquet|csv|tsv)(?:\.gz)?$/i;
const trust = ["jsonl", "ndjson", "json", "parquet", "csv", "tsv"];

/**
 * The files of a data set: the file itself, or the data files in a folder and the folders in it, in order of name.
 * @throws ColloquyError `file/read`, `task/no-files`
 */
export function listDataFiles(path: string): { readonly files: DataFile[]; readonly warnings: string[] } {
  if (!isFolder(path)) {
    const part = partOf(basename(path));
    return { files: [{ path, stem: stemOf(path), ...(part && { part }) }], warnings: [] };
  }
  const all = listFolder(path).filter((file) => endings.test(file));
  const kept = [...groupBy(all, (file) => file.replace(endings, "")).values()].map(
    (copies) => copies.sort((a, b) => trust.indexOf(endingOf(a)) - trust.indexOf(endingOf(b)))[0],
  );
  if (kept.length === 0) {
    throw new ColloquyError("task/no-files", `there is no data file in the folder ${path}`, {
      hint: "Data files end in .csv, .tsv, .jsonl, .json or .parquet, perhaps with .gz behind it.",
    });
  }
  const stems = groupBy(kept, stemOf);
  const files = kept.map((file) => {
    const inside = relative(path, file).split(sep).join("/");
    const part = partOf(`${basename(resolve(path))}/${inside}`);
    const stem = stems.get(stemOf(file))!.length > 1 ? inside.replace(endings, "") : stemOf(file);
    return { path: file, stem, ...(part && { part }) };
  });
  const left = all.length - kept.length;
  return { files, warnings: left > 0 ? [`${left} files of ${path} are there in another format, too; left out`] : [] };
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch (cause) {
    throw new ColloquyError("file/read", `cannot read ${path}: no such file or folder`, {
      cause,
      hint: "Check the path; relative paths start at the current folder.",
    });
  }
}

function listFolder(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true }).filter(({ name }) => !name.startsWith("."));
  return entries
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? listFolder(path) : [path];
    });
}

const endingOf = (path: string): string => endings.exec(path)?.[1].toLowerCase() ?? "";
const stemOf = (path: string): string => basename(path).replace(/\.gz$/i, "").replace(endings, "");

const parts: Readonly<Record<string, string>> = {
  ...{ train: "train", training: "train", dev: "dev", val: "val", valid: "val", validation: "val", test: "test" },
  testing: "test",
};

/** The one name of a part: `validation` is `val`. Names of no part stay as they are. */
export function partName(word: string): string {
  const name = word.toLowerCase();
  return Object.hasOwn(parts, name) ? parts[name] : name;
}

/** By the last word of the file's name that is one, or else by the last folder that is called so. */
function partOf(path: string): string | undefined {
  const [file, ...folders] = path.toLowerCase().split(/[/\\]/).reverse();
  const word = [...file.split(/[^a-z]+/).reverse(), ...folders].find((candidate) => Object.hasOwn(parts, candidate));
  return word === undefined ? undefined : parts[word];
}
