import { round, roundStep } from "../../charts/round-numbers.ts";
import { characterWidth, fitText, svg, text } from "../../charts/svg.ts";
import { hoursOf } from "./wording.ts";

/** A lane for each agent along one axis of hours. Its names are a drawing of their own: they stay in view when it scrolls. */
export interface LaneDrawing {
  readonly names: string;
  readonly lanes: string;
}

/** Where a lane is: its top, and the place of the beginning of a step. */
export interface LanePlace {
  readonly top: number;
  readonly height: number;
  scaleX(step: number): number;
  readonly stepWidth: number;
}

export interface LaneSettings {
  readonly title: string;
  readonly names: readonly string[];
  readonly steps: number;
  readonly laneHeight: number;
  /** Room right of the last step, for what stands at a line's end. */
  readonly room?: number;
  /** What goes into a lane. */
  draw(lane: number, place: LanePlace): string;
}

const head = 22;
const foot = 40;
const left = 6;
const widestName = 150;
/** Of all steps together, where they are neither few nor many. */
const usualWidth = 930;

export function drawLanes({ title, names, steps, laneHeight, room = 12, draw }: LaneSettings): LaneDrawing {
  const stepWidth = Math.min(24, Math.max(6, usualWidth / Math.max(1, steps)));
  const nameWidth = Math.min(widestName, 12 + characterWidth * Math.max(1, ...names.map(({ length }) => length)));
  const scaleX = (step: number): number => left + step * stepWidth;
  const [bottom, right] = [head + names.length * laneHeight, scaleX(steps)];
  const hourStep = Math.max(1, roundStep(hoursOf(steps), Math.max(2, Math.floor(right / 60))));
  const hours = Array.from({ length: Math.floor(hoursOf(steps) / hourStep) + 1 }, (_, k) => k * hourStep);
  const axis = hours.map((hour) => {
    const x = scaleX(hour * 4);
    const mark =
      text(x, head - 7, String(hour), { anchor: "middle" }) + text(x, bottom + 16, String(hour), { anchor: "middle" });
    return `${mark}<path d="M${round(x)} ${head}V${bottom}" stroke="currentColor" stroke-opacity="0.13"/>`;
  });
  const rules = Array.from({ length: names.length + 1 }, (_, k) => `M${left} ${head + k * laneHeight}H${round(right)}`);
  const height = bottom + foot;
  return {
    names: svg(
      height,
      `Names: ${title}`,
      names.map((name, k) =>
        text(nameWidth - 8, head + (k + 0.5) * laneHeight + 4, fitText(name, nameWidth - 10), { anchor: "end" }),
      ),
      nameWidth,
    ),
    lanes: svg(
      height,
      title,
      [
        ...axis,
        `<path d="${rules.join("")}" stroke="currentColor" stroke-opacity="0.13"/>`,
        ...names.map((_, lane) => draw(lane, { top: head + lane * laneHeight, height: laneHeight, scaleX, stepWidth })),
        text(left, bottom + 34, "hours", { opacity: 0.75 }),
      ],
      Math.ceil(right + room),
    ),
  };
}
