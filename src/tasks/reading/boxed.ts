/** A `\boxed{…}` of a text. */
export interface Box {
  readonly content: string;
  /** From its backslash … */
  readonly start: number;
  /** … to behind its closing brace. */
  readonly end: number;
}

/** The boxes whose braces close, in the order in which they close: of nested ones the outer is the later. */
export function findBoxes(text: string): Box[] {
  const open: number[] = [];
  const boxes: Box[] = [];
  for (let i = 0; i < text.length; i++) {
    if (text[i] === "\\" && /[{}\\]/.test(text[i + 1] ?? "")) i++;
    else if (text[i] === "{") open.push(i);
    else if (text[i] === "}" && open.length > 0) {
      const brace = open.pop()!;
      const command = /\\f?boxed?\s?$/.exec(text.slice(Math.max(0, brace - 8), brace))?.[0];
      if (command) boxes.push({ content: text.slice(brace + 1, i), start: brace - command.length, end: i + 1 });
    }
  }
  return boxes;
}

/** The contents that stand as the answer: of the last box, and of those joined to it by "or" (`\boxed{5} or \boxed{6}`). */
export function lastBoxed(text: string): string[] {
  const boxes = findBoxes(text);
  let first = boxes.length - 1;
  while (first > 0 && isAlternative(text, boxes[first - 1], boxes[first])) first--;
  return boxes.slice(Math.max(first, 0)).map(({ content }) => content);
}

function isAlternative(text: string, a: Box, b: Box): boolean {
  return (
    b.start >= a.end &&
    b.start - a.end < 20 &&
    /^[\s$]*,?[\s$]*(?:or|and|&|,|\/)[\s$]*$/i.test(text.slice(a.end, b.start))
  );
}
