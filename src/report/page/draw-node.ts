import { svg } from "./create.ts";
import { shorten } from "./wording.ts";

/** How a node looks. */
export interface NodeLook {
  readonly radius: number;
  readonly answer: string | null;
  readonly isAttacking: boolean;
  readonly isRight: boolean;
  readonly isQuiet: boolean;
  readonly turnsNow: boolean;
}

/** Nodes smaller than this have no room for a letter. */
const LEAST_FOR_LETTER = 8;

/**
 * The mark of an agent around (0, 0): a circle for an honest one, a diamond for one that attacks; filled where its answer
 * is right, open where it is not; dashed where it keeps quiet; a second outline in the round in which it turns.
 */
export function drawMark(look: NodeLook): SVGGElement {
  const { radius, answer, isAttacking, isRight, isQuiet, turnsNow } = look;
  const classes = ["mark", isAttacking ? "foe" : "honest", isRight ? "right" : "not-right", isQuiet ? "quiet" : ""];
  const mark = svg("g", { class: classes.join(" ").trim() }, outline(isAttacking, radius, "body"));
  if (turnsNow) mark.append(outline(true, radius + (radius < LEAST_FOR_LETTER ? 2.4 : 4), "turn"));
  if (radius >= LEAST_FOR_LETTER) mark.append(letter(answer, radius));
  return mark;
}

function outline(isDiamond: boolean, radius: number, name: string): SVGElement {
  if (!isDiamond) return svg("circle", { class: name, r: radius.toFixed(1) });
  const reach = (radius * 1.2).toFixed(1);
  return svg("path", { class: name, d: `M0-${reach}L${reach} 0L0 ${reach}L-${reach} 0Z` });
}

function letter(answer: string | null, radius: number): SVGElement {
  const text = answer === null ? "–" : shorten(answer, 4);
  const size = Math.min(15, (radius * 2.1) / (text.length + 0.9), radius * 1.15);
  return svg("text", { "text-anchor": "middle", dy: "0.35em", "font-size": size.toFixed(1) }, text);
}
