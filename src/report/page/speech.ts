import type { UtteranceRecord } from "../../contracts/trace.ts";
import type { ShownEpisode } from "../report-data.ts";
import { html, word } from "./create.ts";
import { lastOutput, levelsOf } from "./episode-facts.ts";

/** An agent's words in a round, or why there are none. */
export function describeSpeech({ record }: ShownEpisode, agent: number, round: number): HTMLElement {
  const said = record.rounds[round - 1]?.[agent];
  const box = html("div", { class: "speech" });
  if (said) {
    box.append(wordsOf(said));
    return box;
  }
  const last = lastOutput(record, agent, round);
  if (record.outcome === "failed" && round === record.rounds.length && levelsOf(record, round)[agent] > 0)
    box.append(note("The episode failed before it spoke."));
  else if (last === null) box.append(note("Said nothing: it is not asked under this method."));
  else
    box.append(
      note(`Said nothing new: kept its last output, of round ${last.round}. No call was made.`),
      wordsOf(last.utterance),
    );
  return box;
}

function wordsOf(utterance: UtteranceRecord): HTMLElement {
  const { text, source, silent, status } = utterance;
  if (silent) return note("Stayed silent: no call was made.");
  if (text !== undefined && text !== "") return html("blockquote", { dir: "auto" }, ...withCode(text));
  if (source !== undefined)
    return html("p", { class: "note" }, "Its words stand in the behaviour bank, at ", word(source), ".");
  if (status === "empty") return note("The reply was empty.");
  return note("Simulated agents have no words: the answer is all there is.");
}

/** Fenced code in a face of its own; nothing is added or left out. */
const withCode = (text: string): (string | HTMLElement)[] =>
  text
    .split(/(```[\s\S]*?(?:```|$))/)
    .filter((part) => part !== "")
    .map((part) => (part.startsWith("```") ? html("code", {}, part) : part));

const note = (text: string): HTMLElement => html("p", { class: "note" }, text);
