import type { Attack } from "../contracts/attack.ts";
import { chooseTarget } from "./mislead.ts";
import { underOrders } from "./under-orders.ts";

/** As `mislead`, and also answers the arguments it heard. Ours. */
export const persuade: Attack = (agent, plan) =>
  underOrders(agent, plan, { target: chooseTarget(plan), manner: "rebut" });
