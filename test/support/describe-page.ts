import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "..", "..");

export const readPage = (path: string): string => readFileSync(join(root, path), "utf8");

/** A link from a page in `docs` to a declaration, `[`wilson`, base/intervals.ts:15](../src/base/intervals.ts#L15)`; or without place. */
const lineLink = /\[`([\w$]+)`(, [\w/.-]+:\d+)?\]\(\.\.\/(src\/[\w/.-]+\.ts)#L\d+\)/g;

/** The links of a page to lines of code. */
export const listLineLinks = (page: string): readonly { readonly symbol: string; readonly file: string }[] =>
  [...page.matchAll(lineLink)].map(([, symbol, , file]) => ({ symbol, file }));

/** The page with every such link at the line where the code declares the symbol. */
export const withLines = (page: string): string =>
  page.replace(lineLink, (_link, symbol: string, place: string | undefined, file: string) => {
    const line = findLine(file, symbol);
    const shown = place === undefined ? "" : `, ${file.replace(/^src\//, "")}:${line}`;
    return `[\`${symbol}\`${shown}](../${file}#L${line})`;
  });

/** 1-based line of a symbol's declaration. */
export function findLine(file: string, symbol: string): number {
  const declared = new RegExp(`^(?:export )?(?:async )?(?:function|const|let|interface|type|class) ${symbol}\\b`);
  const lines = existsSync(join(root, file)) ? readPage(file).split("\n") : [];
  const found = lines.findIndex((line) => declared.test(line));
  if (found < 0) throw new Error(`a page links to ${symbol} in ${file}, which does not declare it`);
  return found + 1;
}

/** The page with what stands between `<!-- name -->` and `<!-- /name -->` written anew. */
export function withBlock(page: string, name: string, content: string): string {
  const block = new RegExp(`(?<=<!-- ${name} -->\\n).*(?=<!-- /${name} -->)`, "s");
  if (!block.test(page)) throw new Error(`the page has no block <!-- ${name} -->`);
  return page.replace(block, () => `\n${content}\n\n`);
}

/** The part of a page under a heading, up to the next one of its rank. */
export function sectionOf(page: string, heading: string): string {
  const [rank] = heading.split(" ");
  const start = page.indexOf(`\n${heading}\n`);
  if (start < 0) throw new Error(`the page has no section "${heading}"`);
  const rest = page.slice(start + heading.length + 2);
  const end = rest.search(new RegExp(`^#{1,${rank.length}} `, "m"));
  return end < 0 ? rest : rest.slice(0, end);
}

/** First cells of the rows of all tables in a text that begin with a name in code. */
export const listRows = (text: string): string[] =>
  [...text.matchAll(/^\| ((?:`[^`|]+`(?:, )?)+) \|/gm)].flatMap(([, cell]) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name),
  );

export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
