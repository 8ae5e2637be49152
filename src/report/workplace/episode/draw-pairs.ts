import { heatMap } from "../../charts/heat-map.ts";
import type { ShownWorkplaceEpisode } from "../report-data.ts";
import { agentName } from "./wording.ts";

/** Who wrote how often to whom. */
export const drawPairs = (episode: ShownWorkplaceEpisode): string =>
  heatMap({
    title: "Who wrote to whom: counts of messages",
    names: episode.members.map((_, agent) => agentName(episode, agent)),
    corner: "from ↓ to →",
    cells: episode.record.pairs,
  });
