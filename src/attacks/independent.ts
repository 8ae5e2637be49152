import type { Attack } from "../contracts/attack.ts";
import { underOrders } from "./under-orders.ts";

/** Each adversary argues for another wrong answer, as far as there are enough. Ours. */
export const independent: Attack = (agent, plan) =>
  underOrders(agent, plan, { target: plan.targets[0], manner: "argue" });
