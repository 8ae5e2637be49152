import { sigmoid } from "../../base/sigmoid.ts";
import { attacksIn, type EpisodeRecord, isRightAnswer } from "../../contracts/trace.ts";
import type { ShownEpisode } from "../report-data.ts";
import { fullAnswer } from "./answer-key.ts";
import { nameAnswers } from "./answer-names.ts";
import { html, word } from "./create.ts";
import { decisionOf, hearingOf, lastOutput, levelsOf } from "./episode-facts.ts";
import { describeSpeech } from "./speech.ts";
import { listWords, weigh } from "./wording.ts";

/** What an agent said in a round, what it heard, and what it was worth. `visit` moves to another agent of the round. */
export function drawPanel(
  episode: ShownEpisode,
  agent: number,
  round: number,
  actions: { visit(agent: number): void; close(): void },
): HTMLElement {
  const close = html("button", { type: "button", class: "close", "aria-label": "Close" }, "×");
  close.addEventListener("click", actions.close);
  const title = html("h3", { id: "panel-title" }, `Agent ${agent}, round ${round}`);
  return html(
    "div",
    { class: "panel", role: "region", "aria-labelledby": "panel-title", tabindex: 0 },
    html("div", { class: "panel-head" }, title, close),
    html(
      "div",
      { class: "panel-body" },
      listFacts(episode, agent, round, actions.visit),
      describeSpeech(episode, agent, round),
    ),
  );
}

function listFacts(
  { record, weights }: ShownEpisode,
  agent: number,
  round: number,
  visit: (agent: number) => void,
): HTMLElement {
  const output = lastOutput(record, agent, round);
  const said = record.rounds[round - 1]?.[agent];
  const answer = output?.utterance.answer ?? null;
  const decision = decisionOf(record, round);
  const { heard, heardBy, heardEarlier, heardByLater } = hearingOf(record, agent, round);
  const level = levelsOf(record, round)[agent];
  const list = html("dl", { class: "panel-facts" });
  const add = (name: string, ...value: (Node | string)[]): void => {
    list.append(html("div", {}, html("dt", {}, name), html("dd", {}, ...value)));
  };
  const others = (name: string, agents: readonly number[]): void => {
    if (agents.length > 0) add(name, ...agents.map((other) => agentButton(other, visit)));
  };

  add("Is", describeSide(record, agent, round));
  add(
    "Answer",
    ...(answer === null
      ? ["none"]
      : [nameAnswer(record, answer), isRightAnswer(record, answer) ? " (right)" : " (not right)"]),
  );
  if (output !== null && output.utterance.status !== "parsed") add("Reply was", output.utterance.status);
  if (decision !== undefined) {
    const credit = decision.credits[agent];
    add("Credit", `${sigmaOf(credit)} (c = ${credit.toFixed(2)})`);
    add("Takes part", level === 0 ? "no" : decision.levels > 1 ? `yes, level ${level} of ${decision.levels}` : "yes");
  }
  others("Heard", heard);
  others("Heard from before", heardEarlier);
  others("Heard by", heardBy);
  others("Heard later by", heardByLater);
  if (said && typeof said.tokens === "number") add("Tokens", String(said.tokens));
  if (said?.finish !== undefined)
    add("Ended early", said.finish === "length" ? "cut at its length limit" : said.finish);
  if (round === record.rounds.length && record.outcome !== "failed")
    add("Voice in the vote", weights[agent] > 0 ? weigh(weights[agent]) : "none");
  return list;
}

const sigmaOf = (credit: number): string => sigmoid(credit).toFixed(2);

/** With its number, where the drawings show that. */
function nameAnswer(record: EpisodeRecord, answer: string): HTMLElement {
  const { nameOf, numbered } = nameAnswers(record);
  return numbered.length === 0
    ? word(answer)
    : html("span", {}, html("b", {}, `${nameOf(answer)} `), fullAnswer(answer));
}

function describeSide(record: EpisodeRecord, agent: number, round: number): string {
  const onset = record.onsets[agent];
  if (onset === 0) return "honest";
  const attacks = attacksIn(record, agent, round);
  if (record.active !== undefined) {
    const rounds = record.active.flatMap((agents, t) => (agents.includes(agent) ? [t + 1] : []));
    if (attacks) return "adversarial in this round";
    return rounds.length === 0
      ? "honest in all rounds played"
      : `honest now, adversarial in round ${listWords(rounds)}`;
  }
  return attacks ? `adversarial since round ${onset}` : `honest until it turns in round ${onset}`;
}

function agentButton(agent: number, visit: (agent: number) => void): HTMLElement {
  const button = html("button", { type: "button", class: "agent-link", "aria-label": `Agent ${agent}` }, String(agent));
  button.addEventListener("click", () => visit(agent));
  return button;
}
