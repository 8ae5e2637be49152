import { attacksIn, type EpisodeRecord, isRightAnswer } from "../../contracts/trace.ts";
import type { ShownEpisode } from "../report-data.ts";
import { nameAnswers } from "./answer-names.ts";
import { html, word } from "./create.ts";
import { describeSpeech } from "./speech.ts";
import { shorten } from "./wording.ts";

/** On paper nothing can be pressed: all that was said in an episode, as a list. Made only while the page is printed. */
export function listOnPaper(place: HTMLElement, shown: () => ShownEpisode | null): void {
  const fill = (): void => {
    for (const folded of document.querySelectorAll("details")) folded.open = true;
    const episode = shown();
    place.replaceChildren(...(episode === null ? [] : [listUtterances(episode)]));
  };
  const clear = (): void => place.replaceChildren();
  window.addEventListener("beforeprint", fill);
  window.addEventListener("afterprint", clear);
  window.matchMedia("print").addEventListener("change", ({ matches }) => (matches ? fill() : clear()));
}

function listUtterances(episode: ShownEpisode): HTMLElement {
  const { record } = episode;
  const hasWords = record.rounds.some((said) => said.some((utterance) => utterance?.text || utterance?.source));
  const rounds = record.rounds.flatMap((said, t) => [
    html("h4", {}, `Round ${t + 1}`),
    ...said.flatMap((utterance, agent) => {
      if (utterance === null) return [];
      const words = hasWords ? describeSpeech(episode, agent, t + 1) : null;
      return [html("div", { class: "said" }, html("p", {}, headOf(record, agent, t + 1, utterance.answer)), words)];
    }),
  ]);
  return html(
    "section",
    { class: hasWords ? "utterances" : "utterances wordless" },
    html("h3", {}, "What was said"),
    ...rounds,
  );
}

function headOf(record: EpisodeRecord, agent: number, round: number, answer: string | null): HTMLElement {
  const side = attacksIn(record, agent, round) ? " ◆ attacks" : "";
  const judged = answer === null ? "no answer" : isRightAnswer(record, answer) ? " ✓" : "";
  const { nameOf, numbered } = nameAnswers(record);
  const name = answer === null || numbered.length === 0 ? "" : `${nameOf(answer)} `;
  return html("b", {}, `Agent ${agent}: ${name}`, word(answer === null ? "" : shorten(answer, 60)), judged, side);
}
