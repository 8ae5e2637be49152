import { isPython, type PythonLine, pythonReader, readPython } from "./python-lines.ts";

/** The beginning of a program that a reply completes or repeats. */
export interface CodeFrame {
  /** Signature and docstring, with what stands before them (imports, other functions). */
  readonly prompt: string;
  /** Name of the function asked for. */
  readonly entryPoint: string;
}

/** Whether lines define the function asked for, and with a body that does something. */
export function definesEntry(lines: readonly PythonLine[], { entryPoint }: CodeFrame): boolean {
  const start = lines.findLastIndex(({ starts, bare }) => starts && isDefinition(bare, entryPoint));
  if (start < 0) return false;
  const { indent, bare } = lines[start];
  if (/^\s*\w+\s*=/.test(bare) || /\)\s*(?:->[^:]*)?:\s*\S/.test(bare)) return true;
  for (const line of lines.slice(start + 1)) {
    if (!line.starts) continue;
    if (line.indent <= indent) return false;
    if (!/^(?:""|pass|\.\.\.|raise NotImplementedError\b.*)?$/.test(line.bare.trim())) return true;
  }
  return false;
}

function isDefinition(bare: string, name: string): boolean {
  const code = bare.trim();
  return /^(?:async\s+)?def\s/.test(code)
    ? code.split(/def\s+|\s*\(/)[1] === name
    : code.startsWith(`${name} = lambda`);
}

/** Gives the first line its indentation back where only it lost it, as happens to a body that was trimmed. */
export function untrim(lines: readonly PythonLine[]): readonly PythonLine[] {
  const [first, ...rest] = trim(lines);
  const starts = rest.filter(({ starts }) => starts);
  const least = Math.min(...starts.map(({ indent }) => indent));
  if (first === undefined || first.indent > 0 || starts.length === 0 || least === 0) return lines;
  const head = rest.slice(0, rest.indexOf(starts[0])).findLast(({ bare }) => bare.trim() !== "") ?? first;
  const opensBlock = /:\s*$/.test(head.bare);
  return opensBlock && starts[0].indent === least ? lines : [move(first, least), ...rest];
}

/** Lines that return or yield outside any function: the body of one. */
export function isBody(lines: readonly PythonLine[]): boolean {
  let inside: number | undefined;
  for (const { starts, indent, bare } of lines) {
    if (!starts) continue;
    if (inside !== undefined && indent > inside) continue;
    inside = undefined;
    if (/^\s*(?:async\s+)?(?:def|class)\b/.test(bare)) inside = indent;
    else if (/^\s*(?:(?:if|for|while|else|elif|with)\b.*:\s*)?(?:return|yield)\b|=\s*yield\b/.test(bare)) return true;
  }
  return false;
}

/** The stretches of `lines` that are Python, with the prose between them left out. */
export function findPython(lines: readonly string[]): PythonLine[][] {
  const regions: PythonLine[][] = [];
  let read = pythonReader();
  let region: PythonLine[] = [];
  const end = () => {
    if (region.some(({ bare }) => bare.trim() !== "")) regions.push(region);
    region = [];
    read = pythonReader();
  };
  for (const text of lines) {
    const line = read(text);
    if (!line.starts || isPython(line)) region.push(line);
    else end();
  }
  end();
  return regions;
}

/** A whole program: the function asked for, after what the prompt has before it. */
export function wholeProgram(lines: readonly PythonLine[], frame: CodeFrame): string {
  const program = toText(dropUsage(dedent(lines), frame));
  const promptLines = readPython(frame.prompt.split("\n"));
  const entry = promptLines.findLastIndex(({ starts, bare }) => starts && isDefinition(bare, frame.entryPoint));
  const preamble = toText(promptLines.slice(0, Math.max(0, entry)));
  if (preamble === "" || program.includes(preamble)) return program;
  const future = program.match(/^from __future__ import .*$/gm) ?? [];
  const rest = program.replace(/^from __future__ import .*$/gm, "").replace(/^\n+/, "");
  return [...future, preamble, "", "", rest].join("\n");
}

/** A whole program from the body of its function: the prompt with the body in its place. */
export function completedPrompt(body: readonly PythonLine[], { prompt, entryPoint }: CodeFrame): string {
  const promptLines = readPython(prompt.split("\n"));
  const entry = promptLines.findLastIndex(({ starts, bare }) => starts && isDefinition(bare, entryPoint));
  const inside = promptLines.slice(entry + 1).find(({ starts }) => starts);
  return `${toText(promptLines)}\n${toText(indentBody(trim(body), inside?.indent || 4), false)}`;
}

/** Moves a body to the indentation of its function; what stands further left behind it stays. */
function indentBody(body: readonly PythonLine[], target: number): PythonLine[] {
  const [first, ...rest] = body;
  const after = rest.findIndex(({ starts, indent }) => starts && indent < first.indent);
  const length = after < 0 ? body.length : after + 1;
  return body.map((line, i) => (i < length ? move(line, target - first.indent) : line));
}

function dedent(lines: readonly PythonLine[]): PythonLine[] {
  const least = Math.min(...lines.filter(({ starts }) => starts).map(({ indent }) => indent));
  return lines.map((line) => (least > 0 && Number.isFinite(least) ? move(line, -least) : line));
}

function move(line: PythonLine, by: number): PythonLine {
  if (line.text === "" || by === 0) return line;
  const indent = Math.max(0, line.indent + by);
  return { ...line, indent, text: " ".repeat(indent) + line.text.trimStart() };
}

/** Leaves out what only shows the function at work: calls, prints, asserts, examples, `if __name__ …`. */
function dropUsage(lines: readonly PythonLine[], { entryPoint }: CodeFrame): PythonLine[] {
  const code = lines.map(({ bare }) => bare);
  const defined = new Set(code.flatMap((line) => /^(?:async\s+)?def\s+(\w+)/.exec(line)?.[1] ?? []));
  const uses = new RegExp(`\\b(?:print|input|${entryPoint})\\s*\\(`);
  const isAlways =
    /^(?:print\s*\(|assert\b|if\s+__name__\b|>>>|\.\.\.$|\.\.\. |(?:doctest|unittest)\.|(?:sys\.)?exit\s*\(|quit\s*\(|(?:-?\d[\d.]*|True|False|None)$)|\binput\s*\(/;
  let isDefined = false;
  return statementsOf(lines).flatMap((statement) => {
    const head = statement.find(({ starts }) => starts)?.bare.trim() ?? "";
    isDefined ||= isDefinition(head, entryPoint);
    const [, called = ""] = /^(\w+)\s*\(/.exec(head) ?? [];
    const isLoop = /^(?:for|while|if|with|try)\b/.test(head);
    // What stands before the function may prepare something for it.
    const isLater =
      isDefined && (defined.has(called) || (isLoop && uses.test(statement.map(({ bare }) => bare).join("\n"))));
    return isAlways.test(head) || called === entryPoint || isLater ? [] : statement;
  });
}

/** The lines of each statement that stands in no other, with its `else`, `except` and the like. */
function statementsOf(lines: readonly PythonLine[]): PythonLine[][] {
  const statements: PythonLine[][] = [[]];
  // What stands to the right before the first statement is no part of any.
  const first = lines.findIndex(({ text, indent }) => text !== "" && indent === 0);
  for (const line of lines.slice(Math.max(0, first))) {
    const isFirst = line.starts && line.indent === 0 && !/^(?:elif|else|except|finally)\b/.test(line.bare);
    if (isFirst) statements.push([line]);
    else statements[statements.length - 1].push(line);
  }
  return statements;
}

function trim(lines: readonly PythonLine[]): readonly PythonLine[] {
  const start = lines.findIndex(({ text }) => text !== "");
  return lines.slice(start, lines.findLastIndex(({ text }) => text !== "") + 1);
}

const toText = (lines: readonly PythonLine[], isTrimmed = true): string =>
  (isTrimmed ? trim(lines) : lines).map(({ text }) => text).join("\n");
