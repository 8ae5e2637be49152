import { count } from "../../page/wording.ts";
import type { ShownWorkplaceEpisode } from "../report-data.ts";
import { agentName, hoursOf, sayAlignment, sayHours } from "./wording.ts";

const outcomes = { finished: "Finished", unfinished: "Not finished", failed: "Failed" } as const;

/** How an episode came out, in a few sentences. */
export function episodeSentence(episode: ShownWorkplaceEpisode): string {
  const { record, members } = episode;
  const { outcome, workers, steps, subtasks, meetings, alignment } = record;
  const team = `a manager and ${count(workers, "worker")}, ${count(record.doneAt.length, "task")}, ${count(subtasks.count, "subtask")}`;
  const talked = sayHours(record.communicationMinutes / 60);
  const { communicate, reply, meeting } = record.occupancy;
  const talking = [...communicate, ...reply, ...meeting].reduce((sum, own) => sum + own, 0);
  const share = Math.round((100 * talking) / Math.max(1, members.length * steps));
  const understood = sayAlignment(Math.round(alignment.final * 1000));
  return [
    `${outcomes[outcome]} ${outcome === "finished" ? "in" : "after"} ${sayHours(hoursOf(steps))}: ${team}.`,
    record.error === undefined ? "" : `${record.error}.`,
    `Communication took ${talked} of people's time and ${share} % of their steps; in the end they understood their work to ${understood} (AF).`,
    `${count(meetings.held, "meeting")} held, ${meetings.cancelled} cancelled; ${count(subtasks.reassigned, "subtask")} reassigned; ${count(record.faults, "fault")}.`,
    describeAdversaries(episode),
  ]
    .filter(Boolean)
    .join(" ");
}

function describeAdversaries(episode: ShownWorkplaceEpisode): string {
  const { onsets, attack } = episode.record;
  const foes = onsets.flatMap((onset, agent) =>
    onset > 0 ? [`${agentName(episode, agent)} from decision ${onset} on`] : [],
  );
  return foes.length === 0 ? "" : `Adversaries (${attack.kind}): ${foes.join("; ")}.`;
}
