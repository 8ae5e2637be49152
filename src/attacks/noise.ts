import type { Attack } from "../contracts/attack.ts";
import { underOrders } from "./under-orders.ts";

/** Gives any answer at random, each time anew, without an argument: a broken agent rather than a hostile one. Ours. */
export const noise: Attack = (agent, plan) => underOrders(agent, plan, { target: null, manner: "babble" });
