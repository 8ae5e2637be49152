import { sum } from "../base/stats.ts";
import type { WorkplaceRecord } from "../contracts/workplace/record.ts";
import type { WorldReading } from "./world-reading.ts";

/** How the trainer reads episodes of the workplace: nobody holds an answer, and every run makes its own calls. */
export const workplaceReading = {
  utilityKey: "eval/utility",
  outcomeKeys: { "eval/unfinished": "unfinished" },
  logsEdges: false,
  costUnits: {
    /** Share of all agents' steps that went to communication: messages, replies and meetings. */
    communication: ({ occupancy: { communicate, reply, meeting }, workers, steps }) =>
      steps === 0 ? 0 : sum([...communicate, ...reply, ...meeting]) / ((workers + 1) * steps),
    /** Hours of communication by the ledger, over all agents. */
    hours: ({ communicationMinutes }) => communicationMinutes / 60,
    /** Calls of language models. */
    calls: ({ calls }) => calls,
  },
} as const satisfies WorldReading<WorkplaceRecord>;
