import { sigmoid } from "../../base/sigmoid.ts";
import { isRightAnswer } from "../../contracts/trace.ts";
import type { ShownEpisode } from "../report-data.ts";
import { html, word } from "./create.ts";
import { decisionOf, hearingOf, isAttacking, lastOutput, levelsOf } from "./episode-facts.ts";
import { describeSpeech } from "./speech.ts";

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

  add("Is", describeSide(record.onsets[agent], isAttacking(record, agent, round), record.attack.onset === "moving"));
  add(
    "Answer",
    ...(answer === null ? ["none"] : [word(answer), isRightAnswer(record, answer) ? " (right)" : " (not right)"]),
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
    add("Voice in the vote", weights[agent] > 0 ? weights[agent].toFixed(2) : "none");
  return list;
}

const sigmaOf = (credit: number): string => sigmoid(credit).toFixed(2);

function describeSide(onset: number, attacks: boolean, isMoving: boolean): string {
  if (onset === 0) return "honest";
  if (isMoving) return attacks ? "adversarial in this round" : `honest now, adversarial in round ${onset}`;
  return attacks ? `adversarial since round ${onset}` : `honest until it turns in round ${onset}`;
}

function agentButton(agent: number, visit: (agent: number) => void): HTMLElement {
  const button = html("button", { type: "button", class: "agent-link", "aria-label": `Agent ${agent}` }, String(agent));
  button.addEventListener("click", () => visit(agent));
  return button;
}
