import type { Utterance } from "../contracts/agent.ts";
import type { Attack } from "../contracts/attack.ts";

/** What stands where an agent should have spoken. */
const nothing: Utterance = { answer: null, status: "empty", text: "", silent: true };

/** Says nothing. The agent is not asked, so no call is made. Ours. */
export const silence: Attack = (agent, plan) => ({
  role: agent.role,
  respond: (turn) => (plan.active(turn.round) ? nothing : agent.respond(turn)),
});
