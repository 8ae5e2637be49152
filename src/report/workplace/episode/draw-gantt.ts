import { round } from "../../charts/round-numbers.ts";
import { characterWidth, escapeXml, palette, svg, text } from "../../charts/svg.ts";
import type { ShownWorkplaceEpisode } from "../report-data.ts";
import { drawLanes, type LaneDrawing, type LanePlace } from "./lanes.ts";
import { type Occupation, type OccupationRun, occupationRuns } from "./occupation-runs.ts";
import { agentName, hoursOf, subtaskName } from "./wording.ts";

interface Look {
  readonly name: string;
  readonly colour: string;
  /** Top and height as shares of a lane: kinds are told apart by place as well as by colour. */
  readonly top: number;
  readonly height: number;
}

const looks: Readonly<Record<Occupation, Look>> = {
  work: { name: "work", colour: palette[0], top: 0.1, height: 0.8 },
  communicate: { name: "ask or tell", colour: palette[1], top: 0.1, height: 0.4 },
  reply: { name: "reply", colour: palette[2], top: 0.5, height: 0.4 },
  meeting: { name: "meeting", colour: palette[3], top: 0.1, height: 0.8 },
  wait: { name: "wait", colour: "currentColor", top: 0.46, height: 0.08 },
};

/** What every agent did when: a lane of bars each, with the number of the subtask where there is room. */
export function drawGantt(episode: ShownWorkplaceEpisode): LaneDrawing {
  const runsN = occupationRuns(episode);
  const { record, members } = episode;
  return drawLanes({
    title: "What every agent did, by hours",
    names: members.map((_, agent) => agentName(episode, agent)),
    steps: record.steps,
    laneHeight: members.length > 20 ? 16 : 22,
    draw: (agent, place) => runsN[agent].map((run) => drawRun(run, place, describeRun(episode, agent, run))).join(""),
  });
}

function drawRun(run: OccupationRun, { top, height, scaleX }: LanePlace, title: string): string {
  const x = scaleX(run.from) + 0.5;
  const width = scaleX(run.to) - x - 0.5;
  const number = run.how === "work" ? String(run.about) : "";
  const hasRoom = number !== "" && number.length * characterWidth + 4 <= width;
  const label = hasRoom ? text(x + width / 2, top + height / 2 + 4, number, { anchor: "middle" }) : "";
  return `<g><title>${escapeXml(title)}</title>${drawBox(looks[run.how], x, top, width, height)}${label}</g>`;
}

/** Work is pale, so that its numbers can be read; a meeting has a hole. */
function drawBox(look: Look, x: number, top: number, width: number, height: number): string {
  const [y, tall] = [round(top + look.top * height), round(look.height * height)];
  const at = `x="${round(x)}" y="${y}" width="${round(width)}" height="${tall}"`;
  if (look === looks.work) return `<rect ${at} fill="${look.colour}" fill-opacity="0.3"/>`;
  if (look === looks.meeting)
    return `<rect ${at} fill="${look.colour}" fill-opacity="0.25"/><path d="M${round(x)} ${y}h${round(width)}m0 ${tall}h${round(-width)}" stroke="${look.colour}" stroke-width="3"/>`;
  return `<rect ${at} fill="${look.colour}"${look === looks.wait ? ' fill-opacity="0.6"' : ""}/>`;
}

function describeRun(
  episode: ShownWorkplaceEpisode,
  agent: number,
  { how, from, to, about, reason }: OccupationRun,
): string {
  const subject = about === undefined ? "" : ` on ${subtaskName(episode, about, 40)}`;
  const why = reason === undefined ? "" : `: ${reason.slice(0, 200)}`;
  return `${agentName(episode, agent)}, ${hoursOf(from)}–${hoursOf(to)} h, ${looks[how].name}${subject}${why}`;
}

/** What the bars of the Gantt look like, by name. */
export const ganttLegend: readonly { readonly name: string; readonly sample: string }[] = Object.values(looks).map(
  (look) => ({ name: look.name, sample: svg(20, look.name, [drawBox(look, 1, 0, 20, 20)], 22) }),
);
