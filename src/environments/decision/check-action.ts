import { ColloquyError } from "../../base/errors.ts";
import type { Action } from "../../contracts/policy.ts";

/**
 * Refuses an action that does not fit what was observed.
 * @param what the decision it is for, in words
 * @throws ColloquyError `environment/action`
 */
export function checkAction(action: Action, eligibleN: Uint8Array, what: string, needsSomebody = false): void {
  const agents = eligibleN.length;
  const fail = (how: string): never => {
    throw new ColloquyError("environment/action", `an action for ${what} ${how}`, {
      hint: "A policy gives one finite credit and one decision for each agent: 1 or 0, 0 where it is not eligible, 1 for somebody in the vote.",
    });
  };
  if (action.creditsN.length !== agents) fail(`has ${action.creditsN.length} credits for ${agents} agents`);
  if (action.participantsN.length !== agents) fail(`has ${action.participantsN.length} decisions for ${agents} agents`);
  if (action.trustN !== undefined && (action.trustN.length !== agents || !action.trustN.every(Number.isFinite)))
    fail(`ranks agents by [${action.trustN.join(", ")}]`);
  if (!action.creditsN.every(Number.isFinite)) fail(`has the credits [${action.creditsN.join(", ")}]`);
  action.participantsN.forEach((z, i) => {
    if (z > eligibleN[i])
      fail(`has the decision ${z} for agent ${i}${eligibleN[i] === 1 ? "" : ", who is not eligible"}`);
  });
  // In a round it may: everyone then keeps its output. A vote of nobody has no answer.
  if (needsSomebody && !action.participantsN.includes(1)) fail("lets nobody take part in the vote");
}
