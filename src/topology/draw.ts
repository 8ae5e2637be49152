import type { CommunicationGraph } from "../contracts/topology.ts";
import { listEdges } from "./edge-list.ts";

/** What to write on the agents of a drawing; all of it may come from strangers. */
export interface Captions {
  /** Names, one an agent; `agent 0`, `agent 1`, … without. */
  readonly labelsN?: readonly string[];
  readonly creditsN?: ArrayLike<number>;
  /** A remark on an agent, such as `adversary`; marked agents have a thick border. */
  readonly marksN?: readonly (string | null | undefined)[];
}

/**
 * The graph as Mermaid text; absent agents and edges through time are dashed.
 * Mermaid itself refuses more than 500 edges unless its `maxEdges` is raised.
 */
export function drawMermaid(graph: CommunicationGraph, captions: Captions = {}): string {
  const nodes = listNodes(graph, captions);
  const lines = nodes.map(({ name, lines }) => `${name}["${lines.map(escapeMermaid).join("<br/>")}"]`);
  for (let e = 0; e < graph.sources.length; e++) lines.push(`a${graph.sources[e]} --> a${graph.targets[e]}`);
  for (const [i, j] of listTemporal(graph)) lines.push(`a${i} -.-> a${j}`);
  const absent = nodes.filter((node) => node.absent);
  const marked = nodes.filter((node) => node.marked);
  if (absent.length > 0) {
    lines.push("classDef absent stroke-dasharray:4 3", `class ${absent.map((node) => node.name).join(",")} absent`);
  }
  if (marked.length > 0) {
    lines.push("classDef marked stroke-width:3px", `class ${marked.map((node) => node.name).join(",")} marked`);
  }
  return `flowchart TD\n${lines.map((line) => `  ${line}\n`).join("")}`;
}

/** The graph as DOT text for Graphviz; absent agents and edges through time are dashed. */
export function drawDot(graph: CommunicationGraph, captions: Captions = {}): string {
  const lines = ["node [shape=box]"];
  for (const { name, lines: text, absent, marked } of listNodes(graph, captions)) {
    const style = `${absent ? ", style=dashed" : ""}${marked ? ", penwidth=3" : ""}`;
    lines.push(`${name} [label="${text.map(escapeDot).join("\\n")}"${style}]`);
  }
  for (let e = 0; e < graph.sources.length; e++) lines.push(`a${graph.sources[e]} -> a${graph.targets[e]}`);
  // They run in any direction, so they must not push agents up or down.
  for (const [i, j] of listTemporal(graph)) lines.push(`a${i} -> a${j} [style=dashed, constraint=false]`);
  return `digraph round {\n${lines.map((line) => `  ${line}\n`).join("")}}\n`;
}

const listTemporal = ({ temporal }: CommunicationGraph): [number, number][] =>
  temporal === undefined ? [] : listEdges(temporal);

interface Node {
  readonly name: string;
  readonly lines: readonly string[];
  readonly absent: boolean;
  readonly marked: boolean;
}

function listNodes(graph: CommunicationGraph, { labelsN, creditsN, marksN }: Captions): Node[] {
  return Array.from(graph.level, (level, i) => {
    const lines = [shorten(labelsN?.[i] ?? "") || `agent ${i}`];
    if (creditsN !== undefined) lines.push(`credit ${creditsN[i].toFixed(2)}`);
    const mark = shorten(marksN?.[i] ?? "");
    if (mark !== "") lines.push(mark);
    return { name: `a${i}`, lines, absent: level === 0, marked: mark !== "" };
  });
}

const MOST_CHARACTERS = 60;

/** One line of at most 60 characters, without control, direction-changing or unpaired characters. */
function shorten(text: string): string {
  const characters = Array.from(
    text
      .slice(0, 4 * MOST_CHARACTERS)
      .replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, " ")
      .trim(),
  );
  return characters.length <= MOST_CHARACTERS
    ? characters.join("")
    : `${characters.slice(0, MOST_CHARACTERS - 1).join("")}…`;
}

/** Everything but letters, marks, digits and harmless punctuation becomes an entity. */
function escapeMermaid(text: string): string {
  return text.replace(/[^\p{L}\p{M}\p{N} .,:_…-]/gu, (character) => `#${character.codePointAt(0)};`);
}

/** Graphviz reads backslashes and HTML entities inside quoted labels. */
function escapeDot(text: string): string {
  return text.replace(/\\/g, "\\\\").replace(/"/g, '\\"').replace(/&/g, "&amp;");
}
