import type { Bank, BankUtterance } from "../bank.ts";
import { bankQuestions } from "../bank.ts";

/** Extra files an importer may need. */
export interface ImportOptions {
  /** Folder of the benchmark that the recording leaves its questions to. */
  readonly questions?: string;
  /** File that says which question each recorded line is about. */
  readonly map?: string;
}

/** What was found and what was left out. */
export interface ImportReport {
  /** Recorded runs read. */
  readonly runs: number;
  /** Runs left out because their question is not known. */
  readonly withoutQuestion: number;
  /** Distinct questions, as the source tells them apart. */
  readonly questions: number;
  /** Questions that repeat the text and options of another one; they count as one from here on. */
  readonly copies: number;
  readonly utterances: number;
  /** Utterances in which no single answer could be read, by status. */
  readonly unread: Readonly<Record<string, number>>;
  /** Agents told to argue for a wrong answer. */
  readonly adversaries: number;
  readonly warnings: readonly string[];
}

/**
 * Turns recordings, as their authors published them, into a behaviour bank.
 * @throws ColloquyError `import/…` naming file and line
 */
export type Importer = (path: string, options: ImportOptions) => { readonly bank: Bank; readonly report: ImportReport };

/** Counts what is in a freshly imported bank. */
export function reportImport(bank: Bank, withoutQuestion: number): ImportReport {
  const said = bank.debates
    .flatMap((debate) => debate.rounds.flat())
    .filter((one): one is BankUtterance => one !== null);
  const questions = new Set(bank.debates.map((debate) => debate.question.id)).size;
  const unread: Record<string, number> = {};
  for (const { status } of said) if (status !== "parsed") unread[status] = (unread[status] ?? 0) + 1;
  return {
    runs: bank.debates.length + withoutQuestion,
    withoutQuestion,
    questions,
    copies: questions - bankQuestions(bank).length,
    utterances: said.length,
    unread,
    adversaries: bank.debates.reduce((sum, { agents }) => sum + agents.filter((agent) => agent.adversary).length, 0),
    warnings: bank.warnings,
  };
}
