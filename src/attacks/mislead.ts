import type { Attack, AttackPlan } from "../contracts/attack.ts";
import { underOrders } from "./under-orders.ts";

/** Argues for one wrong answer of its own choice, the same all episode. The attack of TodyComm. */
export const mislead: Attack = (agent, plan) =>
  underOrders(agent, plan, { target: chooseTarget(plan), manner: "argue" });

/** The wrong answer an adversary chooses by itself; kept for the episode because its stream is. */
export const chooseTarget = (plan: AttackPlan): string => plan.rng.pick(plan.targets);
