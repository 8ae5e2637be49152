import { readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { z } from "zod";
import { ColloquyError } from "../../base/errors.ts";
import { readJsonLines } from "../../base/jsonl.ts";
import type { Question } from "../../contracts/task.ts";
import { questionKey } from "../../tasks/choice.ts";
import { readChoice } from "../../tasks/reading/read-choice.ts";
import type { BankUtterance, Debate } from "../bank.ts";
import { type Importer, reportImport } from "./importer.ts";

const message = z.object({ role: z.string(), content: z.string() });
const recording = z.object({
  id: z.union([z.number(), z.string()]),
  answer: z.string().regex(/^[A-Z]$/, "must be an option letter"),
  /** Question, options, gold letter. */
  raw_task: z.array(z.string()).min(4),
  agent_responses: z.array(z.array(message).min(2)).min(1),
});

/**
 * Debates of github.com/amayuelas/multi-agent-attack on choice questions: every agent hears the others' answers of the
 * round before. An agent whose first message is a system message that calls it an adversary was told to argue for the
 * option its prompt ends with.
 *
 * @param path a folder that is searched for `.jsonl` files, or one file
 */
export const importMultiAgentAttack: Importer = (path) => {
  const warnings: string[] = [];
  const files = findRecordings(path);
  const debates = files.flatMap((file) => readDebates(file, warnings));
  if (debates.length === 0) {
    throw new ColloquyError("import/nothing", `no debates found in ${path}`, {
      hint: "Give the folder with the recorded debates, for example multi-agent-attack/mmlu.",
    });
  }
  const bank = { source: "github.com/amayuelas/multi-agent-attack", model: modelOf(files), debates, warnings };
  return { bank, report: reportImport(bank, 0) };
};

function findRecordings(path: string): string[] {
  try {
    if (statSync(path).isFile()) return [path];
    const names = readdirSync(path, { recursive: true, encoding: "utf8" });
    return names
      .filter((name) => name.endsWith(".jsonl"))
      .sort()
      .map((name) => join(path, name));
  } catch (cause) {
    throw new ColloquyError("import/read", `cannot read ${path}: ${(cause as Error).message}`, { cause });
  }
}

function readDebates(file: string, warnings: string[]): Debate[] {
  const { records, torn } = readJsonLines(file);
  if (torn) warnings.push(`${file}: the last line was cut off and has been left out`);
  const first = records[0];
  if (first === undefined || !Object.hasOwn(first as object, "agent_responses")) {
    warnings.push(`${file}: holds no debates and has been left out`);
    return [];
  }
  return records.map((record, index) => {
    const parsed = recording.safeParse(record);
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      throw new ColloquyError(
        "import/record",
        `${file}, record ${index + 1}: ${issue.path.join(".")}: ${issue.message}`,
        {
          hint: "Only recordings on choice questions with their options in raw_task can be imported.",
        },
      );
    }
    return toDebate(parsed.data, `${basename(file, ".jsonl")}#${parsed.data.id}`);
  });
}

function toDebate({ answer, raw_task, agent_responses }: z.infer<typeof recording>, run: string): Debate {
  const [text, ...options] = raw_task.slice(0, -1);
  const question: Question = { id: questionKey({ text, options }), text, options, gold: answer };
  const said = agent_responses.map((messages) =>
    messages.filter(({ role }) => role === "assistant").map(({ content }) => readUtterance(content, options)),
  );
  const rounds = Math.max(...said.map((replies) => replies.length));
  return {
    run,
    question,
    agents: agent_responses.map((messages) => {
      const adversary = messages[0].role === "system" && /adversar/i.test(messages[0].content);
      return { role: "debater", adversary, target: adversary ? findTarget(messages, options.length) : null };
    }),
    rounds: Array.from({ length: rounds }, (_, t) => said.map((replies) => replies[t] ?? null)),
    heard: "all-previous",
  };
}

function readUtterance(text: string, options: readonly string[]): BankUtterance {
  const { answer, status } = readChoice(text, options);
  return { text, answer, status };
}

/** The letter after `Your answer:` in the first prompt. */
function findTarget(messages: readonly z.infer<typeof message>[], options: number): string | null {
  const prompt = messages.find(({ role }) => role === "user")?.content ?? "";
  const letter = /Your answer:\s*\(?([A-Z])\)?\s*$/.exec(prompt)?.[1] ?? null;
  return letter !== null && letter.charCodeAt(0) - 65 < options ? letter : null;
}

/** The folders are named for the model: `100_3_3_gpt-3.5-turbo`. */
function modelOf(files: readonly string[]): string | undefined {
  const names = files.flatMap((file) => /_(gpt-[\d.]+\w*(?:-turbo)?)(?=[-/\\])/.exec(file)?.[1] ?? []);
  return new Set(names).size === 1 ? names[0] : undefined;
}
