import type { Agent, Orders } from "../contracts/agent.ts";
import type { AttackPlan } from "../contracts/attack.ts";

/** The agent as an attack leaves it: under orders in its active rounds, itself in the others. It speaks in its own voice. */
export function underOrders(agent: Agent, plan: AttackPlan, orders: Orders): Agent {
  return {
    role: agent.role,
    respond: (turn) => agent.respond(plan.active(turn.round) ? { ...turn, orders } : turn),
  };
}
