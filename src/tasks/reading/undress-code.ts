const tags = "(?:s|pre|code|answer|solution|python)";
const opening = new RegExp(`^[ \\t]*(?:<${tags}(?:\\s[^<>\\n]{0,80})?>|<!\\[CDATA\\[)+`, "gm");
const closing = new RegExp(`(?:</${tags}>|\\]\\]>){1,4}[ \\t]*$`, "gm");
const entities: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', "#39": "'", "#x27": "'" };

/**
 * The lines of a reply with code, each fence on a line of its own: one kind of line end, no marks of end or of markup, no
 * HTML escapes, no prompts of a Python session before the code that was typed there.
 */
export function undressCode(text: string): string[] {
  const plain = text
    .replace(/\r\n?|\u2028|\u2029/g, "\n")
    .replace(/\uFEFF|\u200B/g, "")
    .replace(/^[ \t]*\[\/?PYTHON\][ \t]*$/gim, "```")
    .replace(opening, "")
    .replace(closing, "")
    // "    return a```", "```def add(a, b):"
    .replace(/^((?:[ \t]*```)?(?:(?!```).)*[^`\s])```[ \t]*$/gm, "$1\n```")
    .replace(/^([ \t]*```)(?:python|py)?[ \t]*(?=(?:def|class|import|from|return)\b.)/gm, "$1python\n")
    .replace(/^(?:answer|solution|code|completion):[ \t]*(?=(?:def|return)\b)/gim, "");
  return typed(hasEscapes(plain) ? withoutEscapes(plain) : plain).split("\n");
}

/** Inside a string of a program they may be meant. */
const hasEscapes = (text: string): boolean => /^[^"'\n]*&(?:lt|gt|amp|quot);/m.test(text);

const withoutEscapes = (text: string): string =>
  text.replace(/&(lt|gt|amp|quot|#39|#x27);/g, (_, name: string) => entities[name]);

/** `>>> def …` and the lines `... …` behind it, without their prompts; examples of use keep theirs. */
const typed = (text: string): string =>
  text.replace(
    /^([ \t]*)>>> (?=(?:async def|def|class|import|from|@)\b.*)(.*(?:\n\1\.\.\.(?: .*|(?=\n|$)))*)/gm,
    (_, indent: string, code: string) => indent + code.replace(/\n[ \t]*\.\.\. ?/g, `\n${indent}`),
  );

/** What a reply says in `code` inside its sentences. */
export const inlineCode = (text: string): string[] => [...text.matchAll(/`([^`\n]{1,2000})`/g)].map(([, code]) => code);
