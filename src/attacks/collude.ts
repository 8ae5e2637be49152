import type { Attack } from "../contracts/attack.ts";
import { underOrders } from "./under-orders.ts";

/** All adversaries of an episode argue for the same wrong answer. Ours. */
export const collude: Attack = (agent, plan) =>
  underOrders(agent, plan, { target: plan.sharedTarget, manner: "argue" });
