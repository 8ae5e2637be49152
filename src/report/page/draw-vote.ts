import type { ShownEpisode } from "../report-data.ts";
import { type AnswerNames, nameAnswers } from "./answer-names.ts";
import { html, svg } from "./create.ts";
import { type AnswerTally, type Ballot, tallyVote } from "./tally.ts";
import { count, percent, weigh } from "./wording.ts";

const WIDTH = 226;
const NAME = 30;
const BAR = { width: 138, height: 20 };
const ROW = 46;
const TOP = 30;
/** Open questions can have as many answers as agents. */
const MOST_ANSWERS = 10;

/** The vote: a bar for each answer, made of the voices behind it, as wide as they weigh. */
export function drawVote(episode: ShownEpisode): HTMLElement {
  const tallies = tallyVote(episode);
  const names = nameAnswers(episode.record);
  const shown = tallies.slice(0, MOST_ANSWERS);
  const most = Math.max(...tallies.map(({ mass }) => mass), 1e-9);
  const height = TOP + shown.length * ROW + 4;
  const drawing = svg(
    "svg",
    {
      class: "vote",
      viewBox: `0 0 ${WIDTH} ${height}`,
      width: WIDTH,
      height,
      role: "img",
      "aria-label": describe(tallies, names),
    },
    hatching(),
    ...shown.map((tally, row) => drawAnswer(tally, names.nameOf(tally.answer), TOP + row * ROW, most)),
  );
  const voices = episode.weights.filter((weight) => weight > 0).length;
  const more = tallies.length - shown.length;
  const caption = html(
    "figcaption",
    {},
    html("b", {}, "Vote"),
    html("span", {}, `${count(voices, "voice")}${episode.ballots === "all" ? ", all rounds counted" : ""}`),
  );
  return html(
    "figure",
    { class: "round-figure vote-figure" },
    caption,
    html("div", { class: "canvas" }, drawing),
    more > 0 ? html("p", { class: "note" }, `and ${count(more, "other answer")}`) : null,
  );
}

function describe(tallies: readonly AnswerTally[], { say }: AnswerNames): string {
  const parts = tallies.map(
    ({ answer, share, ballots, isChosen, isRight, isTarget }) =>
      `${say(answer)} ${percent(share)} from ${count(ballots.length, "voice")}${notes({ isChosen, isRight, isTarget })}`,
  );
  return parts.length === 0 ? "No votes" : `Votes: ${parts.join("; ")}`;
}

function notes({ isChosen, isRight, isTarget }: Pick<AnswerTally, "isChosen" | "isRight" | "isTarget">): string {
  const words = [isChosen ? "chosen" : "", isRight ? "right" : "", isTarget ? "target" : ""].filter(
    (text) => text !== "",
  );
  return words.length === 0 ? "" : ` (${words.join(", ")})`;
}

function drawAnswer(tally: AnswerTally, name: string, top: number, most: number): SVGElement {
  const { answer, mass, share, ballots, isChosen, isRight, isTarget } = tally;
  const middle = top + BAR.height / 2;
  const group = svg("g", { class: `answer${isChosen ? " chosen" : ""}${isRight ? " right" : ""}` });
  group.append(
    svg("title", {}, answer),
    svg("text", { class: "answer-name", x: NAME - 10, y: middle, dy: "0.35em", "text-anchor": "end" }, name),
  );
  let left = NAME;
  for (const { agents, weight, isAttacking } of joinThin(ballots, BAR.width / most)) {
    const width = (weight / most) * BAR.width;
    const kind = isAttacking ? "voice foe" : "voice honest";
    const who = agents.length === 1 ? `agent ${agents[0]}` : count(agents.length, "voice");
    group.append(
      svg(
        "rect",
        { class: kind, x: left.toFixed(2), y: top, width: Math.max(0.5, width - 2).toFixed(2), height: BAR.height },
        svg("title", {}, `${who}: ${weigh(weight)}${isAttacking ? ", attacking" : ""}`),
      ),
    );
    if (width > 14) {
      const x = (left + (width - 2) / 2).toFixed(1);
      const text = agents.length === 1 ? String(agents[0]) : `${agents.length} voices`;
      if (width > text.length * 6.5)
        group.append(
          svg("text", { class: `${kind} number`, x, y: middle, dy: "0.35em", "text-anchor": "middle" }, text),
        );
    }
    left += width;
  }
  group.append(
    svg("path", { class: "base", d: `M${NAME - 1.5} ${top - 3}V${top + BAR.height + 3}` }),
    svg(
      "text",
      { class: "share", x: Math.max(left, NAME) + 6, y: middle, dy: "0.35em" },
      mass > 0 ? percent(share) : "0",
    ),
  );
  const marks = [isRight ? "✓ right" : "", isTarget ? "◆ target" : "", isChosen ? "chosen" : ""].filter(
    (text) => text !== "",
  );
  if (marks.length > 0)
    group.append(svg("text", { class: "marks", x: NAME, y: top + BAR.height + 13 }, marks.join("  ·  ")));
  return group;
}

interface Voices {
  readonly agents: readonly number[];
  readonly weight: number;
  readonly isAttacking: boolean;
}

/** Each voice by itself, or where these are too many to be told apart, the honest ones together and the others together. */
function joinThin(ballots: readonly Ballot[], scale: number): Voices[] {
  const total = ballots.reduce((sum, { weight }) => sum + weight, 0);
  if ((total * scale) / ballots.length > 6)
    return ballots.map(({ agent, weight, isAttacking }) => ({ agents: [agent], weight, isAttacking }));
  return [false, true].flatMap((isAttacking) => {
    const side = ballots.filter((ballot) => ballot.isAttacking === isAttacking);
    const weight = side.reduce((sum, ballot) => sum + ballot.weight, 0);
    return side.length === 0 ? [] : [{ agents: side.map(({ agent }) => agent), weight, isAttacking }];
  });
}

/** Stripes tell the voices of attackers from honest ones without colour. */
const hatching = (): SVGElement =>
  svg(
    "defs",
    {},
    svg(
      "pattern",
      { id: "stripes", width: 5, height: 5, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
      svg("rect", { class: "stripe-ground", width: 5, height: 5 }),
      svg("rect", { class: "stripe", width: 2, height: 5 }),
    ),
  );
