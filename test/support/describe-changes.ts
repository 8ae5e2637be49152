import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The code blocks of a page, in order, by their language. */
export const listBlocks = (page: string, language: string): string[] =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, "gms"))].map(([, block]) => block);

/** Files that a page shows whole: TypeScript blocks whose first line is a comment with their path. */
export const listFiles = (page: string): readonly { readonly path: string; readonly content: string }[] =>
  listBlocks(page, "ts").map((block) => {
    const path = /^\/\/ ((?:src|outside)\/[\w/.-]+\.ts)\n/.exec(block)?.[1];
    if (path === undefined) throw new Error(`a block does not say its file: ${block.split("\n")[0]}`);
    return { path, content: block };
  });

/** What a page changes in files that are there: a path, and for each place its lines before and after. */
export interface Change {
  readonly path: string;
  readonly hunks: readonly { readonly before: string; readonly after: string }[];
}

/** Reads diffs whose first line is `--- path`; `@@` stands between places. */
export const listChanges = (page: string): readonly Change[] =>
  listBlocks(page, "diff").map((block) => {
    const [head, ...lines] = block.trimEnd().split("\n");
    const places = lines.join("\n").split(/^@@$\n/m);
    const side = (place: string, mark: "-" | "+"): string =>
      place
        .split("\n")
        .filter((line) => line !== "" && (line[0] === " " || line[0] === mark))
        .map((line) => `${line.slice(1)}\n`)
        .join("");
    return {
      path: head.replace(/^--- /, ""),
      hunks: places.map((place) => ({ before: side(place, "-"), after: side(place, "+") })),
    };
  });

/**
 * Does to a copy of the repository what a page says.
 * @throws Error where the lines before a change do not stand in the file, or not only once
 */
export function applyPage(page: string, folder: string): void {
  for (const { path, content } of listFiles(page)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  for (const { path, hunks } of listChanges(page)) {
    let text = readFileSync(join(folder, path), "utf8");
    for (const { before, after } of hunks) {
      const places = `\n${text}`.split(`\n${before}`);
      if (places.length !== 2) throw new Error(`${path} has ${places.length - 1} places for:\n${before}`);
      text = places.join(`\n${after}`).slice(1);
    }
    writeFileSync(join(folder, path), text);
  }
}
