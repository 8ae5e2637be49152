import type { ShownEpisode } from "../report-data.ts";
import { html } from "./create.ts";
import { type DrawnRound, drawRound } from "./draw-round.ts";
import { drawVote } from "./draw-vote.ts";
import { levelsOf } from "./episode-facts.ts";
import { columnPitch } from "./layout.ts";

/** An agent in a round. */
export interface Place {
  readonly round: number;
  readonly agent: number;
}

/** The drawn rounds of an episode, side by side, with one place that Tab reaches and arrows move. */
export interface Score {
  readonly element: HTMLElement;
  /** Marks the node whose words are shown. */
  select(place: Place | null): void;
  focus(place: Place): void;
  /** Where a round and one of its nodes stand on the screen. */
  boxesOf(place: Place): { readonly round: DOMRect; readonly node: DOMRect } | undefined;
}

export function drawScore(
  episode: ShownEpisode,
  actions: { open(place: Place): void; moved(place: Place): void },
): Score {
  const { record } = episode;
  const rounds = record.rounds.map((_, t) => t + 1);
  const columns = rounds.reduce((sum, round) => sum + new Set(levelsOf(record, round)).size, 0);
  const pitch = columnPitch(columns);
  const drawn = rounds.map((round) => drawRound(record, round, pitch));
  const element = html(
    "div",
    { class: "score", role: "group", "aria-label": "Rounds" },
    ...drawn.map(({ figure }) => figure),
    record.outcome === "failed" ? null : drawVote(episode),
  );
  const nodeAt = ({ round, agent }: Place): SVGGElement | undefined => drawn[round - 1]?.nodesN[agent];
  let reached: SVGGElement | undefined = nodeAt({ round: 1, agent: 0 });
  let selected: SVGGElement | undefined;
  reached?.setAttribute("tabindex", "0");

  const reach = (node: SVGGElement): void => {
    reached?.setAttribute("tabindex", "-1");
    node.setAttribute("tabindex", "0");
    reached = node;
  };
  drawn.forEach(({ nodesN }, t) => {
    nodesN.forEach((node, agent) => {
      const place = { round: t + 1, agent };
      node.addEventListener("focus", () => reach(node));
      node.addEventListener("click", () => actions.open(place));
      node.addEventListener("keydown", (event) => {
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        if (event.key === "Enter" || event.key === " ") actions.open(place);
        else {
          const next = neighbour(drawn, place, event.key);
          if (next === null) return;
          goTo(nodeAt(next));
          actions.moved(next);
        }
        event.preventDefault();
        event.stopPropagation();
      });
    });
  });
  return {
    element,
    focus: (place) => goTo(nodeAt(place)),
    boxesOf: (place) => {
      const [figure, node] = [drawn[place.round - 1]?.figure, nodeAt(place)];
      if (figure === undefined || node === undefined) return undefined;
      return { round: figure.getBoundingClientRect(), node: node.getBoundingClientRect() };
    },
    select: (place) => {
      selected?.setAttribute("aria-pressed", "false");
      selected = place === null ? undefined : nodeAt(place);
      selected?.setAttribute("aria-pressed", "true");
      drawn.forEach(({ hold }, t) => {
        hold(place?.round === t + 1 ? place.agent : null);
      });
      if (selected !== undefined) reach(selected);
    },
  };
}

/** At once: a gentle scroll would still be under way when the panel makes its room. */
function goTo(node: SVGGElement | undefined): void {
  node?.focus({ preventScroll: true });
  node?.scrollIntoView({ block: "nearest", inline: "nearest", behavior: "instant" });
}

/** Where an arrow leads: up and down within a round as its nodes stand, left and right to the same agent of another round. */
function neighbour(drawn: readonly DrawnRound[], { round, agent }: Place, key: string): Place | null {
  const agents = drawn[round - 1].nodesN.length;
  const order = drawn[round - 1].layout.nodes
    .slice()
    .sort((a, b) => (drawn[round - 1].layout.style === "rows" ? a.agent - b.agent : a.x - b.x || a.y - b.y))
    .map((node) => node.agent);
  const place = order.indexOf(agent);
  const within = (offset: number): Place => ({
    round,
    agent: order[Math.max(0, Math.min(agents - 1, place + offset))],
  });
  const across = (offset: number): Place => ({ round: Math.max(1, Math.min(drawn.length, round + offset)), agent });
  switch (key) {
    case "ArrowUp":
      return within(-1);
    case "ArrowDown":
      return within(1);
    case "ArrowLeft":
      return across(-1);
    case "ArrowRight":
      return across(1);
    case "Home":
      return within(-Infinity);
    case "End":
      return within(Infinity);
    default:
      return null;
  }
}
