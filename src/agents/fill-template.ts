/** What stands for a placeholder: words inside a line, or a block of lines that begins and ends lines of its own. */
export type Filling = string | { readonly block: string };

const placeholder = /\{(\w+)\}/g;

/** The names in braces of a template, in order. */
export function placeholdersOf(template: string): string[] {
  return [...template.matchAll(placeholder)].map(([, name]) => name);
}

/**
 * Puts values in place of `{name}`, all at once: what was put in is never read again, so braces and `$&` in it stay as they
 * are. A line that holds nothing but an empty value is left out. Names without a value stay as they are.
 */
export function fillTemplate(template: string, fillings: Readonly<Record<string, Filling>>): string {
  const isEmpty = (line: string): boolean => {
    const name = /^\s*\{(\w+)\}\s*$/.exec(line)?.[1];
    return name !== undefined && Object.hasOwn(fillings, name) && textOf(fillings[name]) === "";
  };
  const hasEmpty = Object.values(fillings).some((filling) => textOf(filling) === "");
  const kept = hasEmpty
    ? template
        .split("\n")
        .filter((line) => !isEmpty(line))
        .join("\n")
    : template;
  return kept.replace(placeholder, (whole, name: string, at: number) => {
    if (!Object.hasOwn(fillings, name)) return whole;
    const filling = fillings[name];
    if (typeof filling === "string") return filling;
    const before = at === 0 || kept[at - 1] === "\n" ? "" : "\n";
    const end = at + whole.length;
    const after = end === kept.length || kept[end] === "\n" ? "" : "\n";
    return before + filling.block + after;
  });
}

const textOf = (filling: Filling): string => (typeof filling === "string" ? filling : filling.block);
