import { z } from "zod";
import { ColloquyError } from "../base/errors.ts";
import { readText, writeFileAtomic } from "../base/files.ts";
import { readJsonLines } from "../base/jsonl.ts";
import type { Question } from "../contracts/task.ts";
import { optionLetter } from "../contracts/task.ts";
import { questionKey } from "../tasks/choice.ts";

/** What an agent of a recorded debate said in one round. */
export interface BankUtterance {
  readonly text: string;
  /** The option letter that was read; `null` unless `status` is `parsed`. */
  readonly answer: string | null;
  readonly status: "parsed" | "unparsed" | "ambiguous" | "empty" | "refused" | "truncated";
}

/** One recorded debate of N agents over T rounds about a choice question. */
export interface Debate {
  /** Unique in its bank. */
  readonly run: string;
  readonly question: Question;
  readonly agents: readonly {
    readonly role: string;
    /** Told to argue for a wrong answer. */
    readonly adversary: boolean;
    /** The option letter it was told to argue for, where the recording says. */
    readonly target: string | null;
  }[];
  /** `rounds[t][i]`: what agent i said in round t+1; `null` where it was not asked. */
  readonly rounds: readonly (readonly (BankUtterance | null)[])[];
  /**
   * Whom agent i heard in round t+1: `heard[t][i]` lists agents, each with its latest utterance of an earlier round.
   * `all-previous`: everyone else who spoke in the round before; nobody in round 1.
   */
  readonly heard: "all-previous" | readonly (readonly (readonly number[])[])[];
}

/** A behaviour bank: recorded debates in one file, whatever they were imported from. */
export interface Bank {
  /** Where the recordings come from, in words. */
  readonly source: string;
  readonly model?: string;
  readonly licence?: string;
  readonly debates: readonly Debate[];
  /** What had to be repaired or left out on reading. */
  readonly warnings: readonly string[];
}

const schemaName = "colloquy.bank/1";

const header = z.looseObject({
  schema: z.string(),
  source: z.string(),
  model: z.string().optional(),
  licence: z.string().optional(),
});

const letter = z.string().regex(/^[A-Z]$/, "must be an option letter");
const utterance = z.object({
  text: z.string(),
  answer: letter.nullable(),
  status: z.enum(["parsed", "unparsed", "ambiguous", "empty", "refused", "truncated"]),
});
const debate = z.object({
  run: z.string().min(1),
  question: z.object({
    id: z.string().min(1),
    text: z.string().min(1),
    options: z.array(z.string()).min(2).max(26),
    gold: letter,
    subject: z.string().optional(),
  }),
  agents: z.array(z.object({ role: z.string(), adversary: z.boolean(), target: letter.nullable() })).min(1),
  rounds: z.array(z.array(utterance.nullable())).min(1),
  heard: z.union([z.literal("all-previous"), z.array(z.array(z.array(z.int().min(0))))]),
});

/**
 * Reads a behaviour bank (`colloquy.bank/1`: JSON lines, a header and then one debate a line; gzip by content).
 * A last line that was cut off is left out and named in `warnings`.
 * @throws ColloquyError `bank/empty`, `bank/schema`, `bank/debate` (naming the line), `jsonl/line`, `file/encoding`, `file/read`
 */
export function readBank(path: string): Bank {
  const { records, torn } = readJsonLines(path);
  if (records.length === 0) throw emptyBank(path, "complete line");
  const head = header.safeParse(records[0]);
  if (!head.success || head.data.schema !== schemaName) {
    const found = head.success ? `its schema is ${head.data.schema}` : "its first line is no bank header";
    throw new ColloquyError("bank/schema", `${path} is no ${schemaName} file: ${found}`, {
      hint: "Recordings in other formats are turned into a bank by: colloquy import",
    });
  }
  const runs = new Set<string>();
  const debates = records.slice(1).map((record, index) => {
    const parsed = debate.safeParse(record);
    const problem = parsed.success ? findProblem(parsed.data, runs) : describeIssue(parsed.error.issues[0]);
    if (problem !== undefined || !parsed.success) {
      throw new ColloquyError("bank/debate", `${path}, line ${lineOf(path, index + 1)}: ${problem}`, {
        hint: "Mend or delete that line.",
      });
    }
    runs.add(parsed.data.run);
    return parsed.data;
  });
  if (debates.length === 0) throw emptyBank(path, "debate");
  const { source, model, licence } = head.data;
  const warnings = torn ? [`${path}: the last line was cut off and has been left out`] : [];
  return { source, model, licence, debates, warnings };
}

function emptyBank(path: string, what: string): ColloquyError {
  return new ColloquyError("bank/empty", `${path} holds no ${what}, so it is no behaviour bank`, {
    hint: "Make one with: colloquy import FORMAT FOLDER --out FILE",
  });
}

/** Writes a bank in one step. @throws ColloquyError `file/write` */
export function writeBank(path: string, bank: Bank): void {
  const { source, model, licence, debates } = bank;
  const lines = [{ schema: schemaName, source, model, licence }, ...debates].map((line) => JSON.stringify(line));
  writeFileAtomic(path, `${lines.join("\n")}\n`);
}

/** The stable id of an utterance, `run/agent/round` (agent 0-based, round 1-based): what `Utterance.source` holds. */
export function utteranceId(run: string, agent: number, round: number): string {
  return `${run}/${agent}/${round}`;
}

/** The utterances of a bank by id: gives back the words that a record names by their source. */
export function indexUtterances(bank: Bank): Map<string, BankUtterance> {
  const byId = new Map<string, BankUtterance>();
  for (const { run, rounds } of bank.debates) {
    for (const [t, row] of rounds.entries()) {
      for (const [agent, said] of row.entries()) if (said !== null) byId.set(utteranceId(run, agent, t + 1), said);
    }
  }
  return byId;
}

/** The distinct questions of a bank, in order of appearance; copies of one question count once. */
export function bankQuestions(bank: Bank): Question[] {
  const byKey = new Map<string, Question>();
  for (const { question } of bank.debates) {
    const key = questionKey(question);
    if (!byKey.has(key)) byKey.set(key, question);
  }
  return [...byKey.values()];
}

/** What a schema cannot see. */
function findProblem(debate: Debate, runs: ReadonlySet<string>): string | undefined {
  const { run, question, agents, rounds, heard } = debate;
  const known = (answer: string | null) => answer === null || answer <= optionLetter(question.options.length - 1);
  if (runs.has(run)) return `run ${JSON.stringify(run)} stands twice in the bank`;
  if (!known(question.gold)) return `gold ${question.gold} is past the last of ${question.options.length} options`;
  if (!agents.every((agent) => known(agent.target))) return "an adversary's target is past the last option";
  for (const [t, round] of rounds.entries()) {
    if (round.length !== agents.length) {
      return `round ${t + 1} has ${round.length} entries for ${agents.length} agents (use null for an agent that was not asked)`;
    }
    for (const said of round) {
      if (said === null) continue;
      if ((said.status === "parsed") !== (said.answer !== null))
        return `round ${t + 1}: only a parsed reply has an answer`;
      if (!known(said.answer)) return `round ${t + 1}: answer ${said.answer} is past the last option`;
    }
  }
  if (heard !== "all-previous") {
    if (heard.length !== rounds.length || heard.some((row) => row.length !== agents.length)) {
      return "heard needs one list for every round and agent";
    }
    if (heard.flat(2).some((from) => from >= agents.length)) return "heard names an agent that is not in the team";
  }
  return undefined;
}

function describeIssue(issue: z.core.$ZodIssue): string {
  return `${issue.path.join(".") || "the line"}: ${issue.message}`;
}

/** The 1-based line of a record (blank lines are not records). */
function lineOf(path: string, record: number): number {
  let seen = -1;
  return (
    readText(path)
      .split("\n")
      .findIndex((line) => line.trim() !== "" && ++seen === record) + 1
  );
}
