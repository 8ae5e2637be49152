import { round } from "../charts/round-numbers.ts";
import { LEFT_MARGIN, type PlacedNode, type RoundLayout } from "./layout.ts";

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Room between the tip of an arrow and its node. */
const GAP = 2.5;
/** An edge that comes nearer to a node than this seems to belong to it. */
const CLEARANCE = 4;

const port = ({ x, y, radius }: PlacedNode, side: -1 | 1): Point => ({ x: x + side * (radius + GAP), y });

/**
 * The path of an edge within a round: out of the right of its source, into the left of its target. Where it would run over
 * a node on its way it bends into the lane between two rows, so that it seems to touch nobody else.
 */
export function routeEdge(layout: RoundLayout, source: number, target: number): string {
  const { nodes } = layout;
  return curve(avoidNodes(layout, port(nodes[source], 1), port(nodes[target], -1)));
}

/** The path of an edge through time: from the left margin in its source's row, or in blocks from the source itself. */
export function routeEarlier(layout: RoundLayout, source: number, target: number): string {
  const { nodes, style } = layout;
  const to = port(nodes[target], -1);
  if (style === "blocks") {
    const from = port(nodes[source], nodes[source].x < nodes[target].x ? 1 : -1);
    const bend = nodes[source].x < nodes[target].x ? 0.5 * (to.x - from.x) : -22;
    return `M${at(from)}C${at({ x: from.x + bend, y: from.y })} ${at({ x: to.x - Math.abs(bend), y: to.y })} ${at(to)}`;
  }
  const from = { x: LEFT_MARGIN - 6, y: nodes[source].y };
  return curve(avoidNodes(layout, from, to));
}

/** The tip of an arrow: one for each node that is heard into, as all its edges end in one point. */
export function arrowTip(node: PlacedNode): string {
  const { x, y } = port(node, -1);
  const size = node.radius < 8 ? 2.6 : 4.5;
  return `M${at({ x: x - size, y: y - size * 0.75 })}L${at({ x, y })}L${at({ x: x - size, y: y + size * 0.75 })}`;
}

/**
 * The points an edge goes through: its ends alone, or where the plain curve would come too near to a node, a lane in every
 * column on its way. It is in the lane before the widest node and until after it, so that it climbs between columns only.
 */
function avoidNodes({ nodes, lanes, columns }: RoundLayout, from: Point, to: Point): Point[] {
  const heightAt = (x: number): number => {
    const share = Math.max(0, Math.min(1, (x - from.x) / (to.x - from.x)));
    return from.y + (to.y - from.y) * share * share * (3 - 2 * share);
  };
  const isNear = ({ x, y, radius }: PlacedNode): boolean => {
    if (x <= from.x || x >= to.x) return false;
    const reach = radius + CLEARANCE;
    const heights = [heightAt(x - reach), heightAt(x), heightAt(x + reach)];
    return Math.min(...heights) < y + reach && Math.max(...heights) > y - reach;
  };
  if (lanes.length === 0 || !nodes.some(isNear)) return [from, to];
  const widest = Math.max(...nodes.map(({ radius }) => radius)) + CLEARANCE;
  const points = [from];
  for (const { x } of columns) {
    // Its own column and that of its target it leaves and enters level.
    const y = x < from.x ? from.y : x > to.x ? to.y : nearest(lanes, heightAt(x));
    for (const edge of [x - widest, x + widest]) if (edge > from.x && edge < to.x) points.push({ x: edge, y });
  }
  return [...points, to];
}

const nearest = (lanes: readonly number[], height: number): number =>
  lanes.reduce((best, lane) => (Math.abs(lane - height) < Math.abs(best - height) ? lane : best));

/** A smooth line that passes each of its points level. */
function curve(points: readonly Point[]): string {
  let path = `M${at(points[0])}`;
  for (let k = 1; k < points.length; k++) {
    const [a, b] = [points[k - 1], points[k]];
    const bend = (b.x - a.x) * 0.5;
    path += `C${at({ x: a.x + bend, y: a.y })} ${at({ x: b.x - bend, y: b.y })} ${at(b)}`;
  }
  return path;
}

const at = ({ x, y }: Point): string => `${round(x)} ${round(y)}`;
