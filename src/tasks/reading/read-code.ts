import { dropThoughts, isBlank } from "../../base/thoughts.ts";
import type { Reading } from "../../contracts/task.ts";
import { findFences } from "./fences.ts";
import { type Finding, nothing, toReading } from "./finding.ts";
import { type PythonLine, readPython } from "./python-lines.ts";
import {
  type CodeFrame,
  completedPrompt,
  definesEntry,
  findPython,
  isBody,
  untrim,
  wholeProgram,
} from "./python-program.ts";
import { isRefusal } from "./refusal.ts";
import { inlineCode, undressCode } from "./undress-code.ts";

/** Characters that are read of a reply with code. */
const longestReply = 200_000;

/** Code in a reply, and whether it is sure to be whole. */
interface Piece {
  readonly lines: readonly PythonLine[];
  readonly closed: boolean;
  readonly python: boolean;
}

/**
 * Reads a reply as a complete Python program: line ends `\n`, no trailing spaces, no blank lines around it. The last
 * piece that defines the function asked for is taken (a fenced block before bare text), with what the prompt has before
 * that function and with earlier blocks it needs; else the last piece that is the body of a function, joined to the
 * prompt; else a block that defines some other function. Prose, examples (`>>>`) and demonstrations are left out.
 * The program is data: it is not run here, and need not be right.
 */
export function readCode(text: string, frame: CodeFrame): Reading {
  const spoken = dropThoughts(text);
  return isBlank(spoken) ? { status: "empty", answer: null } : toReading(findCode(spoken, frame));
}

/** As `readCode`, of a text that is not blank and free of hidden thoughts. */
export function findCode(text: string, frame: CodeFrame): Finding {
  const lines = undressCode(text.slice(0, longestReply));
  const { blocks, bare } = findPieces(lines);
  const whole = [...bare, ...blocks].findLast((piece) => definesEntry(piece.lines, frame));
  if (whole !== undefined) {
    return { answers: [wholeProgram([...needed(whole, blocks, frame), ...whole.lines], frame)], stated: whole.closed };
  }
  const body = [...bare, ...blocks.filter(({ python }) => python)].findLast((piece) => isBody(piece.lines));
  if (body !== undefined) return { answers: [completedPrompt(body.lines, frame)], stated: body.closed };
  const inline = inlineCode(lines.join("\n")).map((code) => readPython([code]));
  const short = inline.findLast((code) => definesEntry(code, frame));
  if (short !== undefined) return { answers: [wholeProgram(short, frame)], stated: true };
  if (inline.length === 1 && isBody(inline[0])) return { answers: [completedPrompt(inline[0], frame)], stated: true };
  const other = [...bare, ...blocks].findLast(
    ({ lines, python }) => python && lines.some(({ bare }) => definition.test(bare)),
  );
  if (other !== undefined) return { answers: [wholeProgram(other.lines, frame)], stated: other.closed };
  return { ...nothing, refused: isRefusal(text.slice(0, 2_000)) };
}

const definition = /^(?:async\s+)?(?:def|class)\s+(\w+)/;

function findPieces(all: readonly string[]): { blocks: Piece[]; bare: Piece[] } {
  const lines = withoutMarkdown(all);
  const fences = findFences(lines);
  const blocks = fences.map(({ lines: quoted, closed, language }) => {
    const lines = withoutQuoteMarks(quoted);
    return {
      lines: untrim(closed ? readPython(lines) : (findPython(lines)[0] ?? [])),
      closed,
      python: language === "" || /^\W*(?:i?python|py)/.test(language),
    };
  });
  const outside = [...lines];
  for (const { start, end } of fences) outside.fill("```", start, end);
  const bare = findPython(outside).map((region) => ({ lines: untrim(region), closed: false, python: true }));
  return { blocks, bare };
}

/** A block of Markdown is opened: blocks of code stand inside. */
function withoutMarkdown(lines: readonly string[]): readonly string[] {
  const marks = findFences(lines)
    .filter(({ language }) => /^(?:markdown|md)$/.test(language))
    .flatMap(({ start, end, closed }) => (closed ? [start, end - 1] : [start]));
  const fences = new Set(marks);
  return fences.size === 0 ? lines : lines.filter((_, i) => !fences.has(i));
}

/** The lines of a block inside a quotation: `> def …`. */
function withoutQuoteMarks(lines: readonly string[]): readonly string[] {
  const isQuoted = lines.some((line) => line !== "") && lines.every((line) => /^[ \t]*(?:>(?!>)|$)/.test(line));
  return isQuoted ? lines.map((line) => line.replace(/^[ \t]*> ?/, "")) : lines;
}

/** Earlier blocks that define what this one uses and does not define itself, and do not use the function themselves. */
function needed(piece: Piece, blocks: readonly Piece[], { entryPoint }: CodeFrame): PythonLine[] {
  const callsEntry = new RegExp(`\\b${entryPoint}\\s*\\(`);
  const used = new Set(codeOf(piece).match(/[A-Za-z_]\w*/g));
  const own = new Set(piece.lines.flatMap(({ bare }) => namesIn(bare.trim())));
  const earlier = blocks.slice(0, Math.max(0, blocks.indexOf(piece))).filter(({ closed, python }) => closed && python);
  return earlier
    .filter((block) => {
      const defined = block.lines.flatMap(({ bare, starts }) => (starts ? namesIn(bare) : []));
      const isUsed = defined.some((name) => used.has(name) && !own.has(name));
      return isUsed && (defined.includes(entryPoint) || !callsEntry.test(codeOf(block)));
    })
    .flatMap(({ lines }) => [...lines, ...readPython([""])]);
}

const codeOf = ({ lines }: Piece): string => lines.map(({ bare }) => bare).join("\n");

/** The names that a line defines, imports or assigns. */
function namesIn(line: string): string[] {
  const name = definition.exec(line)?.[1] ?? /^([A-Za-z_]\w*)\s*(?::[^=]{1,100})?=(?!=)/.exec(line)?.[1];
  if (name !== undefined) return [name];
  const [, imported = ""] = /^(?:from\s+[\w.]+\s+)?import\s+(.+)$/.exec(line) ?? [];
  return imported.split(",").flatMap((part) => part.match(/\w+/g)?.at(-1) ?? []);
}
