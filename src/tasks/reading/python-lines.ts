/** A line of text taken as Python. */
export interface PythonLine {
  /** Without trailing spaces; leading tabs are four spaces unless a string goes on into it. */
  readonly text: string;
  /** Spaces before its first character. */
  readonly indent: number;
  /** It begins a statement: no comment, no blank line, and no string, bracket or backslash goes on into it. */
  readonly starts: boolean;
  /** Its code: strings are `""`, comments are left out. */
  readonly bare: string;
}

const special = /"""|'''|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|#|[()[\]{}]/g;

/** Reads lines one after the other; strings and brackets left open go on from line to line. */
export function pythonReader(): (line: string) => PythonLine {
  let quote: string | undefined;
  let depth = 0;
  let isWrapped = false;
  return (line) => {
    const isInString = quote !== undefined;
    const continues = isInString || depth > 0 || isWrapped;
    let bare = "";
    let at = 0;
    while (at < line.length) {
      if (quote !== undefined) {
        const close = line.indexOf(quote, at);
        at = close < 0 ? line.length : close + 3;
        if (close >= 0) quote = undefined;
        continue;
      }
      special.lastIndex = at;
      const match = special.exec(line);
      bare += line.slice(at, match?.index ?? line.length);
      if (match === null || match[0] === "#") break;
      const [token] = match;
      at = match.index + token.length;
      if (token === '"""' || token === "'''") quote = token;
      if (/["']/.test(token)) bare += '""';
      else bare += token;
      if (/[([{]/.test(token[0])) depth++;
      else if (/[)\]}]/.test(token[0])) depth = Math.max(0, depth - 1);
    }
    isWrapped = bare.endsWith("\\");
    const text = isInString ? line.trimEnd() : expandTabs(line.trimEnd());
    return {
      text,
      indent: text.length - text.trimStart().length,
      starts: !continues && bare.trim() !== "",
      bare,
    };
  };
}

function expandTabs(line: string): string {
  return line.replace(/^[ \t\u00A0]+/, (space) => space.replace(/\t/g, "    ").replace(/\u00A0/g, " "));
}

export function readPython(lines: readonly string[]): PythonLine[] {
  return lines.map(pythonReader());
}

const keywords = new Set(
  "and as assert async await break case class continue def del elif else except finally for from global if import in is lambda match nonlocal not or pass raise return try while with yield None True False".split(
    " ",
  ),
);
const statement =
  /^(?:(?:async\s+)?(?:def|class|for|while|if|elif|else|try|except|finally|with|match|case)\b.*(?::|[([{,\\])$|(?:async\s+)?(?:def|class|for|while|if|elif|else|try|except|with)\b.*:\s*\S|(?:return|yield|raise|import|from|pass|break|continue|global|nonlocal|assert|del|await)\b|@\w|[)\]}]|[rbf]{0,2}""|[\w.,*()[\]\s"-]{1,200}(?::[^=]{1,100})?(?:[-+*/%&|^@]|\/\/|\*\*|<<|>>)?=(?!=)|[A-Za-z_][\w.]*[([])/;

/** A field of a data class. */
const declaration = /^[a-z_]\w*: [A-Za-z_][\w.]*(?:\[[\w.,[\] |]{0,80}\])?$/;

/** Whether a line that begins a statement can be Python rather than prose, where names do not follow one another. */
export function isPython({ bare, indent }: PythonLine): boolean {
  const code = bare.trim();
  if (code === "" || code === "..." || (indent > 0 && declaration.test(code))) return true;
  if (!statement.test(code) || /[?$`]|!(?!=)|(?<!\d)\.$|^>>>/.test(code) || /['"]/.test(code.replaceAll('""', "")))
    return false;
  const words = [...code.matchAll(/[A-Za-z_]\w*/g)];
  return words.every(({ 0: word, index }, i) => {
    const next = words[i + 1];
    if (next === undefined || code.slice(index + word.length, next.index).trim() !== "") return true;
    return keywords.has(word) || keywords.has(next[0]);
  });
}
