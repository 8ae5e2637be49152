import { ColloquyError } from "../base/errors.ts";

/**
 * The agents that take part, in index order.
 * @param participants z: N entries of 0 or 1
 * @throws ColloquyError `graph/participant` on any other entry
 */
export function listParticipants(participants: ArrayLike<number>): Int32Array {
  const present = new Int32Array(participants.length);
  let count = 0;
  for (let i = 0; i < participants.length; i++) {
    if (participants[i] === 1) present[count++] = i;
    else if (participants[i] !== 0) {
      throw new ColloquyError("graph/participant", `the participation of agent ${i} is ${participants[i]}`, {
        hint: "Participation is 1 for an agent that takes part and 0 for one that does not.",
      });
    }
  }
  return present.slice(0, count);
}

/** Checks that every agent has a credit to be ranked by. @throws ColloquyError `graph/lengths`, `graph/credit` */
export function checkCredits(credits: ArrayLike<number>, agents: number): void {
  if (credits.length !== agents) {
    throw new ColloquyError("graph/lengths", `there are ${credits.length} credits for ${agents} agents`, {
      hint: "Give one credit and one participation an agent.",
    });
  }
  for (let i = 0; i < agents; i++) {
    if (Number.isNaN(credits[i])) {
      throw new ColloquyError("graph/credit", `the credit of agent ${i} is not a number (NaN)`, {
        hint: "The policy that gave it is broken: check its weights and what it was shown.",
      });
    }
  }
}
