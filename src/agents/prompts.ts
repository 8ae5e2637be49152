import { cleanLine, cleanName, cleanText, cutText, quoteMark, quoteText } from "../base/quote-text.ts";
import type { Message, Turn, Utterance } from "../contracts/agent.ts";
import type { ChatMessage } from "../contracts/language-model.ts";
import { kindOf, type Question } from "../contracts/task.ts";
import { describeFormat, lettersOf } from "./answer-format.ts";
import { type Filling, fillTemplate } from "./fill-template.ts";
import { describeOrders } from "./orders.ts";
import type { Role } from "./roles.ts";
import type { Prompts } from "./templates.ts";

/** How an agent is spoken to. */
export interface Manner {
  readonly role: Role;
  readonly prompts: Prompts;
  /** The most characters of one utterance that are passed on. */
  readonly messageLength: number;
  readonly structured: boolean;
}

/**
 * The two messages of a turn. `system`: role, form of the answer, orders. `user`: question, own last words, what was heard,
 * the request. What strangers wrote stands in the second one only, quoted (see `quoteText`).
 */
export function writePrompt(turn: Turn, { role, prompts, messageLength, structured }: Manner): ChatMessage[] {
  const { question, own, heard, orders, round } = turn;
  const common = {
    role: cleanName(role.name),
    instructions: role.instructions,
    format: describeFormat(question, structured),
    round: String(round),
  };
  const fill = (name: keyof Prompts, fillings: Readonly<Record<string, Filling>> = {}): string =>
    fillTemplate(prompts[name].trim(), { ...common, ...fillings });
  const messages = heard.map((message) => writeMessage(message, question, prompts.message, messageLength));
  const system = [fill("system"), orders && describeOrders(orders, question)];
  const user = [
    fill("question", { question: { block: quoteText(textOf(question)) }, options: { block: writeOptions(question) } }),
    own && fill("own", describeUtterance(own, question, messageLength)),
    messages.length > 0 && fill("heard", { messages: { block: messages.join("\n\n") } }),
    fill("closing"),
  ];
  return [
    { role: "system", content: join(system) },
    { role: "user", content: join(user) },
  ];
}

const join = (parts: readonly (string | false | null | undefined)[]): string => parts.filter(Boolean).join("\n\n");

/** f_m(o_j, role_j) of TodyComm: a parent's output as its child reads it. */
function writeMessage(
  { from, role, utterance, earlier }: Message,
  question: Question,
  template: string,
  length: number,
) {
  const { said, ...rest } = describeUtterance(utterance, question, length);
  // The heading says that others speak now.
  const when = earlier ? `earlier ${said}` : said;
  return fillTemplate(template.trim(), { from: String(from), role: cleanName(role), said: when, ...rest });
}

/** What may be told about an utterance: the answer as our reader read it, never as the text claims, and the words. */
function describeUtterance({ answer, text }: Utterance, question: Question, length: number): Record<string, Filling> {
  const quote = (words: string): string =>
    words.trim() === "" ? "(no words)" : quoteText(cutText(cleanText(words), length));
  if (answer === null) {
    return { said: "gave no readable answer", answer: "no readable answer", text: { block: quote(text) } };
  }
  const kind = kindOf(question);
  if (kind === "choice" || kind === "number") {
    const read = cleanLine(answer).replace(/[^\p{L}\p{N}.,+/-]/gu, "");
    return { said: `answered ${read}`, answer: read, text: { block: quote(text) } };
  }
  // A program or a phrase is a stranger's text itself: it is quoted, before the words and apart from them.
  const [thing, words] =
    kind === "code"
      ? ["a program", answer === "" ? text : text.split(answer).join("(the program above)")]
      : ["a phrase", text];
  const block = `${quote(answer)}\nand said:\n${quote(words)}`;
  return { said: `answered with ${thing}`, answer: thing, text: { block } };
}

/** What is asked; a program's beginning belongs to it. */
function textOf({ text, code }: Question): string {
  return code === undefined || text.includes(code.prompt.trim()) ? text : `${text}\n\n${code.prompt.trimEnd()}`;
}

/** `| (A) first option`; further lines of an option are indented, so that none can begin like an option. */
function writeOptions(question: Question): string {
  const letters = lettersOf(question);
  if (letters.length === 0) return "";
  const options = question.options.map((option, index) => {
    const [first, ...others] = cleanText(option).split("\n");
    return [`(${letters[index]}) ${first}`, ...others.map((line) => `    ${line}`)].map((line) => quoteMark + line);
  });
  return ["The options:", ...options.flat()].join("\n");
}
