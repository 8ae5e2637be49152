import { sumKnown } from "../../base/stats.ts";
import type { ChatReply } from "../../contracts/language-model.ts";
import type { MindUsage } from "../../contracts/workplace/mind.ts";

/** Sums what replies took. */
export interface Tally {
  count(reply: ChatReply, isMalformed: boolean): void;
  usage(): MindUsage;
}

export function openTally(): Tally {
  let total: MindUsage = { calls: 0, tokens: 0, cost: 0, malformed: 0 };
  return {
    count({ usage, cost }, isMalformed) {
      total = {
        calls: total.calls + 1,
        tokens: sumKnown([total.tokens, usage && usage.prompt + usage.completion]),
        cost: sumKnown([total.cost, cost]),
        malformed: total.malformed + (isMalformed ? 1 : 0),
      };
    },
    usage: () => total,
  };
}
