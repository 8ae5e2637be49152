import type { Table } from "../../../base/table.ts";
import type { ShownWorkplaceEpisode } from "../report-data.ts";
import { agentName, hoursOf, sayAlignment, subtaskName } from "./wording.ts";

/** The subtasks by number: who had them, when they were done, and how well they were understood. */
export function subtaskTable(episode: ShownWorkplaceEpisode): Table {
  const owners = episode.subtasks.map((): number[] => []);
  const done = new Map<number, number>();
  const alignment = new Map<string, number>();
  for (const event of episode.record.events ?? []) {
    if (event.kind === "assign" && owners[event.about]?.at(-1) !== event.agent) owners[event.about]?.push(event.agent);
    else if (event.kind === "done") done.set(event.about, event.step + 1);
    else if (event.kind === "learn") alignment.set(`${event.agent} ${event.about}`, event.after);
  }
  return {
    columns: [
      { title: "Subtask" },
      { title: "Owner" },
      { title: "Done at", align: "right" },
      { title: "AF learned", align: "right" },
    ],
    rows: episode.subtasks.map((_, about) => {
      const [at, learned] = [done.get(about), alignment.get(`${owners[about].at(-1)} ${about}`)];
      return [
        subtaskName(episode, about, 200),
        owners[about].map((agent) => agentName(episode, agent)).join(", then "),
        at === undefined ? "–" : `${hoursOf(at)} h`,
        learned === undefined ? "–" : sayAlignment(learned),
      ];
    }),
  };
}
