import { attacksIn, type EpisodeRecord, isRightAnswer } from "../../contracts/trace.ts";
import { type AnswerNames, nameAnswers } from "./answer-names.ts";
import { html, svg } from "./create.ts";
import { drawMark } from "./draw-node.ts";
import { answerAt, decisionOf, hearingOf, lastOutput, levelsOf, turnsIn, weightsOfCredits } from "./episode-facts.ts";
import { LEFT_MARGIN, layoutRound, type RoundLayout } from "./layout.ts";
import { arrowTip, routeEarlier, routeEdge } from "./route-edges.ts";
import { count, listWords } from "./wording.ts";

/** A drawn round and its nodes by agent. */
export interface DrawnRound {
  readonly figure: HTMLElement;
  readonly nodesN: readonly SVGGElement[];
  readonly layout: RoundLayout;
  /** Keeps the edges of an agent lit while no other is looked at. */
  hold(agent: number | null): void;
}

/**
 * Draws a round: levels from left to right, credits as sizes, edges as curves (one path for all of them, so that thousands
 * are no burden). A node that is pointed at or has the focus shows whom it hears and who hears it.
 */
export function drawRound(record: EpisodeRecord, round: number, pitch: number): DrawnRound {
  const decision = decisionOf(record, round);
  const edges = decision?.edges ?? [];
  const temporal = decision?.temporal ?? [];
  const layout = layoutRound(levelsOf(record, round), weightsOfCredits(record, round), {
    pitch,
    leadIn: temporal.length > 0 ? 34 : 0,
  });
  const heard = new Set([...edges, ...temporal].map(([, target]) => target));
  const drawing = svg("svg", {
    class: `round ${layout.style}`,
    viewBox: `0 0 ${layout.width.toFixed(0)} ${layout.height.toFixed(0)}`,
    width: layout.width.toFixed(0),
    height: layout.height.toFixed(0),
    role: "group",
    "aria-label": `Round ${round}`,
    style: `--least: ${Math.round(layout.width * 0.7)}px`,
  });
  if (layout.style === "rows") drawing.append(drawRows(layout));
  drawing.append(
    ...namedColumns(layout).map(({ level, x }) =>
      svg("text", { class: "column-name", x, y: 14, "text-anchor": "middle" }, nameColumn(level, round)),
    ),
    svg("path", { class: "edges", d: edges.map(([from, to]) => routeEdge(layout, from, to)).join("") }),
    svg("path", { class: "edges earlier", d: temporal.map(([from, to]) => routeEarlier(layout, from, to)).join("") }),
    svg("path", { class: "edges tips", d: [...heard].map((target) => arrowTip(layout.nodes[target])).join("") }),
  );
  const near = svg("g", { class: "near-edges" });
  const tag = svg("text", { class: "tag", dy: "0.35em" });
  const names = nameAnswers(record);
  const nodesN = layout.nodes.map((_, agent) => drawNode(record, round, agent, layout, names));
  drawing.append(near, ...nodesN);
  // Above all nodes: where they have no room for letters, the one looked at has its name beside it.
  if (layout.style === "blocks") drawing.append(tag);
  let held: number | null = null;
  const light = (agent: number | null): void => {
    highlight(record, round, agent, layout, drawing, near, nodesN);
    nameNode(tag, record, round, agent, layout, names);
  };
  nodesN.forEach((node, agent) => {
    for (const event of ["pointerenter", "focus"]) node.addEventListener(event, () => light(agent));
    for (const event of ["pointerleave", "blur"]) node.addEventListener(event, () => light(held));
  });
  const caption = html(
    "figcaption",
    {},
    html("b", {}, `Round ${round}`),
    html("span", {}, describeRound(record, round, layout, edges.length, temporal.length)),
  );
  return {
    figure: html("figure", { class: "round-figure" }, caption, html("div", { class: "canvas" }, drawing)),
    nodesN,
    layout,
    hold: (agent) => {
      held = agent;
      light(agent);
    },
  };
}

/** Where columns are too close for all their names, some. */
function namedColumns({ columns }: RoundLayout): RoundLayout["columns"] {
  let last = -Infinity;
  return columns.filter(({ x }) => {
    if (x - last < 24) return false;
    last = x;
    return true;
  });
}

const nameColumn = (level: number, round: number): string =>
  level === 0 ? "quiet" : round === 1 ? "alone" : String(level);

/** A hairline for each agent, so that the eye can follow it from round to round. */
function drawRows({ nodes, width }: RoundLayout): SVGElement {
  const rows = nodes.flatMap(({ agent, y }) => [
    svg("path", { d: `M${LEFT_MARGIN - 6} ${y}H${width}` }),
    svg("text", { x: LEFT_MARGIN - 12, y, dy: "0.35em", "text-anchor": "end" }, String(agent)),
  ]);
  return svg("g", { class: "rows", "aria-hidden": "true" }, ...rows);
}

function drawNode(
  record: EpisodeRecord,
  round: number,
  agent: number,
  layout: RoundLayout,
  names: AnswerNames,
): SVGGElement {
  const { x, y, radius, level } = layout.nodes[agent];
  const answer = answerAt(record, agent, round);
  const look = {
    radius,
    answer: answer === null ? null : names.nameOf(answer),
    isAttacking: attacksIn(record, agent, round),
    isRight: isRightAnswer(record, answer),
    isQuiet: level === 0,
    turnsNow: turnsIn(record, agent, round),
  };
  const node = svg("g", {
    class: "node",
    transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})`,
    role: "button",
    tabindex: -1,
    "aria-label": describeNode(record, round, agent, level, names),
    "aria-pressed": "false",
  });
  if (answer !== null && names.numbered.length > 0) node.append(svg("title", {}, answer));
  node.append(svg("circle", { class: "halo", r: (radius * 1.2 + 5).toFixed(1) }), drawMark(look));
  return node;
}

/** What a node is, in words. */
function describeNode(
  record: EpisodeRecord,
  round: number,
  agent: number,
  level: number,
  { say }: AnswerNames,
): string {
  const answer = answerAt(record, agent, round);
  const sigma = weightsOfCredits(record, round)?.[agent];
  const { heard, heardBy, heardEarlier } = hearingOf(record, agent, round);
  const isUnheard = lastOutput(record, agent, round) === null;
  const parts = [
    `Agent ${agent}, round ${round}`,
    level > 0 ? "speaks" : isUnheard ? "has not been asked" : "keeps quiet",
    answer === null ? "no answer" : `${say(answer)}, ${isRightAnswer(record, answer) ? "right" : "not right"}`,
  ];
  if (attacksIn(record, agent, round))
    parts.push(isUnheard ? "adversarial" : turnsIn(record, agent, round) ? "turns now" : "attacks");
  if (sigma !== undefined) parts.push(`credit ${sigma.toFixed(2)}`);
  if (heard.length > 0) parts.push(`hears ${listWords(heard)}`);
  if (heardEarlier.length > 0) parts.push(`hears from before ${listWords(heardEarlier)}`);
  if (heardBy.length > 0) parts.push(`heard by ${listWords(heardBy)}`);
  return parts.join(", ");
}

function describeRound(
  record: EpisodeRecord,
  round: number,
  layout: RoundLayout,
  edges: number,
  temporal: number,
): string {
  const speakers = layout.nodes.filter(({ level }) => level > 0).length;
  if (round === 1)
    return speakers === record.onsets.length ? "all speak" : `${speakers} of ${record.onsets.length} speak`;
  const earlier = temporal === 0 ? "" : `, ${temporal} through time`;
  return `${speakers} ${speakers === 1 ? "speaks" : "speak"}, ${count(edges, "edge")}${earlier}`;
}

function nameNode(
  tag: SVGTextElement,
  record: EpisodeRecord,
  round: number,
  agent: number | null,
  { nodes, width }: RoundLayout,
  { nameOf }: AnswerNames,
): void {
  tag.textContent = "";
  if (agent === null) return;
  const { x, y, radius } = nodes[agent];
  const side = x > width - 64 ? -1 : 1;
  const answer = answerAt(record, agent, round);
  tag.textContent = `${agent}: ${answer === null ? "–" : nameOf(answer)}`;
  tag.setAttribute("x", String(x + side * (radius + 7)));
  tag.setAttribute("y", String(y));
  tag.setAttribute("text-anchor", side < 0 ? "end" : "start");
}

function highlight(
  record: EpisodeRecord,
  round: number,
  agent: number | null,
  layout: RoundLayout,
  drawing: SVGElement,
  near: SVGElement,
  nodesN: readonly SVGGElement[],
): void {
  const { heard, heardBy, heardEarlier, heardByLater } =
    agent === null ? { heard: [], heardBy: [], heardEarlier: [], heardByLater: [] } : hearingOf(record, agent, round);
  const lit = new Set([agent, ...heard, ...heardBy, ...heardEarlier, ...heardByLater]);
  drawing.classList.toggle("lit", lit.size > 1);
  nodesN.forEach((node, i) => {
    node.classList.toggle("near", lit.has(i));
  });
  near.replaceChildren();
  if (agent === null) return;
  const path = (name: string, d: string[]): SVGElement => svg("path", { class: name, d: d.join("") });
  near.append(
    path(
      "out",
      heardBy.map((target) => routeEdge(layout, agent, target)),
    ),
    path(
      "out earlier",
      heardByLater.map((target) => routeEarlier(layout, agent, target)),
    ),
    path(
      "in",
      heard.map((source) => routeEdge(layout, source, agent)),
    ),
    path(
      "in earlier",
      heardEarlier.map((source) => routeEarlier(layout, source, agent)),
    ),
    path(
      "out",
      [...heardBy, ...heardByLater].map((target) => arrowTip(layout.nodes[target])),
    ),
    path("in", heard.length + heardEarlier.length > 0 ? [arrowTip(layout.nodes[agent])] : []),
  );
}
