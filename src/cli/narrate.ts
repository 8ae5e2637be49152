import type { Narration } from "../assemble/index.ts";
import { sigmoid } from "../base/sigmoid.ts";
import { optionLetter, type Question } from "../contracts/task.ts";
import type { EpisodeRecord } from "../contracts/trace.ts";
import { printable } from "./output.ts";

/** What was asked, for people. */
export const describeQuestion = ({ text, options }: Question): string =>
  [text, ...options.map((option, i) => `  (${optionLetter(i)}) ${option}`)].join("\n");

/** Prints an episode as it goes: what each agent says, and whom it has heard. */
export function narrator(print: (text: string) => void): (said: Narration) => void {
  let shown = 0;
  return ({ agent, role, turn, utterance }) => {
    const { round, heard } = turn;
    if (round !== shown) print(`\n${round === 1 ? "Round 1: everyone alone" : `Round ${round}`}`);
    shown = round;
    const after = heard.length > 0 ? `, having heard ${heard.map(listenTo).join(" and ")}` : "";
    const answer = utterance.answer === null ? `no answer (${utterance.status})` : firstLine(utterance.answer);
    print(`  agent ${agent} (${role})${after}: ${answer}`);
    if (utterance.text !== "") print(indent(printable(utterance.text)));
  };
}

const listenTo = ({ from, earlier }: Narration["turn"]["heard"][number]): string =>
  `${from}${earlier ? " (from the round before)" : ""}`;

/** How much weight stood behind each answer in the vote. */
export function weighAnswers(
  { rounds, decisions }: EpisodeRecord,
  vote: "credit" | "majority",
): Record<string, number> {
  const last = decisions.at(-1);
  const weights: Record<string, number> = {};
  last?.credits.forEach((credit, i) => {
    const answer = rounds.findLast((round) => round[i] !== null)?.[i]?.answer ?? null;
    if (answer === null || last.participants[i] === 0) return;
    weights[answer] = (weights[answer] ?? 0) + (vote === "credit" ? sigmoid(credit) : 1);
  });
  return weights;
}

/** The end of an episode, for people. */
export function describeOutcome(record: EpisodeRecord, vote: "credit" | "majority"): string {
  if (record.outcome === "failed") return `\nFailed: ${record.error}`;
  if (record.answer === null) return "\nNobody gave an answer that could be read.";
  const weights = Object.entries(weighAnswers(record, vote)).sort(([, a], [, b]) => b - a);
  const shares = weights.map(([answer, weight]) => `${firstLine(answer)} ${weight.toFixed(2)}`).join(", ");
  const verdict =
    record.gold === null
      ? ""
      : record.outcome === "right"
        ? ", which is right"
        : `, which is wrong (${firstLine(record.gold)})`;
  return `\nAnswer: ${record.answer}${verdict}\n  weights ${shares}; ${record.calls} calls`;
}

/** For programs. */
export const summarizeEpisode = (record: EpisodeRecord, vote: "credit" | "majority") => ({
  question: record.question,
  answer: record.answer,
  weights: weighAnswers(record, vote),
  gold: record.gold,
  outcome: record.outcome,
  ...(record.error === undefined ? {} : { error: record.error }),
  calls: record.calls,
  tokens: record.tokens,
  cost: record.cost ?? null,
  rounds: record.rounds,
  decisions: record.decisions,
});

const firstLine = (text: string): string => {
  const line = printable(text).split("\n")[0];
  return line.length > 80 ? `${line.slice(0, 80)}…` : line;
};

const indent = (text: string): string => text.replace(/^/gm, "    ");
