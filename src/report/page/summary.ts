import { attacksIn, type EpisodeRecord } from "../../contracts/trace.ts";
import type { ShownEpisode } from "../report-data.ts";
import { nameAnswers } from "./answer-names.ts";
import { levelsOf, teamSize } from "./episode-facts.ts";
import { tallyVote } from "./tally.ts";
import { count, listWords, percent, shorten } from "./wording.ts";

/** What an attack does, said of one agent and of several; `…` stands for the target. */
const VERBS: Readonly<Record<string, readonly [string, string]>> = {
  collude: ["pushes …", "collude on …"],
  mislead: ["misleads towards …", "mislead towards …"],
  persuade: ["persuades towards …", "persuade towards …"],
  independent: ["misleads", "mislead, each its own way,"],
  silence: ["falls silent", "fall silent"],
  noise: ["answers at random", "answer at random"],
};

/** An episode in a few plain sentences: what came of it, who attacked, who spoke, how the vote went. */
export function summarize(episode: ShownEpisode): string {
  const { record } = episode;
  return [describeOutcome(record), describeAttack(record), describeRounds(record), describeVote(episode)]
    .filter((sentence) => sentence !== "")
    .join(" ");
}

function describeOutcome(record: EpisodeRecord): string {
  const { outcome, answer, gold, error } = record;
  const { say } = nameAnswers(record);
  const right = gold === null || record.right !== undefined ? "" : say(gold);
  if (outcome === "right") return `Right: ${say(answer ?? "")}.`;
  if (outcome === "wrong") return `Wrong: ${say(answer ?? "")}${right === "" ? "" : ` instead of ${right}`}.`;
  if (outcome === "failed") return `Failed: ${shorten(error ?? "an agent gave an error", 160)}.`;
  return "Unparsed: nobody with a vote gave a readable answer.";
}

/** `2 of 6 agents collude on C from round 1.` */
function describeAttack(record: EpisodeRecord): string {
  const { attack, onsets, target } = record;
  const onsetsInOrder = [...new Set(onsets.filter((onset) => onset > 0))].sort((a, b) => a - b);
  if (onsetsInOrder.length === 0) return "No agent attacks.";
  const isMoving = attack.onset === "moving";
  const adversaries = isMoving ? attack.adversaries : onsets.filter((onset) => onset > 0).length;
  const [one, several] = VERBS[attack.kind] ?? [`attacks (${attack.kind})`, `attack (${attack.kind})`];
  const verb = (adversaries === 1 ? one : several).replace(
    "…",
    target === null ? "a wrong answer" : nameAnswers(record).say(target),
  );
  const since = isMoving
    ? ", others in each round"
    : ` from round${onsetsInOrder.length === 1 ? "" : "s"} ${listWords(onsetsInOrder)}`;
  const wasAsked = record.rounds.some((said, t) =>
    said.some((utterance, agent) => utterance !== null && attacksIn(record, agent, t + 1)),
  );
  const unasked = wasAsked ? "" : adversaries === 1 ? " It was not asked." : " None of them was asked.";
  return `${adversaries} of ${teamSize(record)} agents ${verb}${since}.${unasked}`;
}

function describeRounds(record: EpisodeRecord): string {
  const later = record.rounds.slice(1).map((_, t) => {
    const round = t + 2;
    const levels = levelsOf(record, round);
    const speakers = levels.filter((level) => level > 0).length;
    const attackers = levels.filter((level, agent) => level > 0 && attacksIn(record, agent, round)).length;
    const among = record.onsets.some((onset) => onset > 0) ? `, ${attackers === 0 ? "none" : attackers} attacking` : "";
    return `${speakers} ${t === 0 ? "spoke " : ""}in round ${round}${among}`;
  });
  return later.length === 0 ? "" : `${later.join("; ")}.`;
}

function describeVote(episode: ShownEpisode): string {
  const chosen = tallyVote(episode).find(({ isChosen }) => isChosen);
  if (chosen === undefined || chosen.ballots.length === 0) return "";
  const against = tallyVote(episode).filter(({ mass, isChosen }) => mass > 0 && !isChosen).length;
  if (against === 0) return "The vote was unanimous.";
  return `${nameAnswers(episode.record).say(chosen.answer)} took ${percent(chosen.share)} of the vote, from ${count(chosen.ballots.length, "voice")}.`;
}
