const token = /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|\barray\(|,\s*dtype=\w+\)|\w+|\s+|./gs;
const words: Readonly<Record<string, string>> = { None: "null", True: "true", False: "false" };

/**
 * A list or dictionary as Python prints it (`['None', "it's"]`, `{'A': 'x'}`, `['a' 'b']` of numpy): the form in which pandas
 * writes one into a cell. It is data, and never run. `undefined` for any other text.
 */
export function parsePythonLiteral(text: string): unknown {
  let json = "";
  let isBehindText = false;
  for (const [part] of text.matchAll(token)) {
    const isText = /^['"]./s.test(part);
    if (isText) json += (isBehindText ? "," : "") + quote(part.slice(1, -1));
    else if ((part !== "array(" && !part.startsWith(",")) || part === ",") json += words[part] ?? part;
    if (part.trim() !== "") isBehindText = isText;
  }
  try {
    return JSON.parse(json.replace(/,\s*([\]}])/g, "$1"));
  } catch {
    return undefined;
  }
}

const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r" };

const quote = (inner: string): string =>
  JSON.stringify(
    inner.replace(/\\(?:x([\da-f]{2})|u([\da-f]{4})|(.))/gis, (_, two, four, one: string) =>
      one === undefined ? String.fromCharCode(Number.parseInt(two ?? four, 16)) : (escapes[one] ?? one),
    ),
  );
