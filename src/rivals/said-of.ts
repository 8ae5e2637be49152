import { ColloquyError } from "../base/errors.ts";
import type { Observation, Said } from "../contracts/policy.ts";

/** The words behind an observation. @throws ColloquyError `rival/said` where the world does not tell them */
export function saidOf({ said, round }: Observation, rival: string): Said {
  if (said !== undefined) return said;
  throw new ColloquyError("rival/said", `${rival} reads answers, but round ${round} came without words`, {
    hint: "Play it in a world that tells its policies what is said, such as deliberation-v1.",
  });
}
