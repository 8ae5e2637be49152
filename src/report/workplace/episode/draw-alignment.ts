import { round } from "../../charts/round-numbers.ts";
import { escapeXml, palette, text } from "../../charts/svg.ts";
import type { ShownWorkplaceEpisode } from "../report-data.ts";
import { type AlignmentLine, alignmentLines, type Lesson } from "./alignment-lines.ts";
import { drawLanes, type LaneDrawing, type LanePlace } from "./lanes.ts";
import { agentName, sayAlignment, subtaskName } from "./wording.ts";

/** How well every agent understood what it was working on: a lane from 0 to 1 each, only of those who ever worked. */
export function drawAlignment(episode: ShownWorkplaceEpisode): LaneDrawing {
  const own = alignmentLines(episode)
    .map((alignment, agent) => ({ ...alignment, agent }))
    .filter(({ lines }) => lines.length > 0);
  const laneHeight = own.length <= 8 ? 54 : own.length <= 20 ? 36 : 26;
  return drawLanes({
    title: "Understanding (AF) of what each agent was working on, by hours",
    names: own.map(({ agent }) => agentName(episode, agent)),
    steps: episode.record.steps,
    laneHeight,
    room: 40,
    draw(lane, place) {
      const { lines, lessons, agent } = own[lane];
      return [
        half(place, episode.record.steps),
        ...lines.map((line, k) =>
          drawLine(line, place, subtaskName(episode, line.about), lines[k - 1]?.about !== line.about),
        ),
        ...lessons.map((lesson) => drawLesson(lesson, place, describeLesson(episode, agent, lesson))),
        drawEnd(lines[lines.length - 1], place),
      ].join("");
    },
  });
}

/** Where an AF stands in a lane. */
const heightOf = ({ top, height }: LanePlace, alignment: number): number =>
  top + height - 3 - (Math.min(1000, Math.max(0, alignment)) / 1000) * (height - 6);

const half = (place: LanePlace, steps: number): string =>
  `<path d="M${place.scaleX(0)} ${round(heightOf(place, 500))}H${round(place.scaleX(steps))}" stroke="currentColor" stroke-opacity="0.25" stroke-dasharray="1 4"/>`;

function drawLine({ about, points }: AlignmentLine, place: LanePlace, title: string, isNew: boolean): string {
  const [[start, first], ...rest] = points;
  const path = rest.map(([step, alignment]) => `H${round(place.scaleX(step))}V${round(heightOf(place, alignment))}`);
  const width = place.scaleX(points[points.length - 1][0]) - place.scaleX(start);
  const name = `#${about}`;
  // Below the line where it begins: nobody knows much of a subtask then.
  const label =
    isNew && place.height >= 36 && width >= name.length * 7
      ? `<g font-size="10">${text(place.scaleX(start) + 1, place.top + place.height - 4, name, { opacity: 0.8 })}</g>`
      : "";
  return `<path d="M${round(place.scaleX(start))} ${round(heightOf(place, first))}${path.join("")}" fill="none" stroke="${palette[0]}" stroke-width="1.8"><title>${escapeXml(title)}</title></path>${label}`;
}

/** Up where it helped, open and down where it misled. */
function drawLesson({ step, before, after }: Lesson, place: LanePlace, title: string): string {
  const at = `M${round(place.scaleX(step))} ${round(heightOf(place, after))}`;
  const mark =
    after >= before
      ? `<path d="${at}m0 -4l4 7h-8z" fill="${palette[2]}">`
      : `<path d="${at}m0 4l4.5 -8h-9z" fill="none" stroke="${palette[1]}" stroke-width="1.8">`;
  return `${mark}<title>${escapeXml(title)}</title></path>`;
}

function describeLesson(episode: ShownWorkplaceEpisode, agent: number, { about, from, before, after }: Lesson): string {
  const change = `${sayAlignment(before)} → ${sayAlignment(after)}`;
  return `${agentName(episode, agent)} on ${subtaskName(episode, about, 40)}: ${change} through ${agentName(episode, from)}`;
}

function drawEnd({ points }: AlignmentLine, place: LanePlace): string {
  const [step, alignment] = points[points.length - 1];
  return text(place.scaleX(step) + 6, heightOf(place, alignment) + 4, sayAlignment(alignment));
}
