import type { MindAttack } from "../../contracts/workplace/attack.ts";
import type { Guidance } from "../../contracts/workplace/message.ts";
import type { Mind, MindContext } from "../../contracts/workplace/mind.ts";
import { passUsage } from "./pass-usage.ts";

/** What following misleading advice does to AF, and what next to nothing is, in thousandths [ours]. */
const misled = -60;
const taught = 20;

/** Answers that seem to cover everything, as clearly as can be; following them costs understanding. */
export const mislead: MindAttack = (mind, { active }) => misguide(mind, active, "mislead", misled);

/** The same, but following them only teaches next to nothing. */
export const withhold: MindAttack = (mind, { active }) => misguide(mind, active, "withhold", taught);

function misguide(mind: Mind, active: (step: number) => boolean, orders: "mislead" | "withhold", effect: number): Mind {
  const bend = (guidance: Guidance, topics: readonly string[]): Guidance => ({
    ...guidance,
    covers: [...topics],
    clarity: Math.max(guidance.clarity, 900),
    effect,
  });
  return {
    ...passUsage(mind),
    async decide(context) {
      if (!active(context.step)) return mind.decide(context);
      const intention = await mind.decide(underOrders(context, orders));
      if (intention.kind !== "reply") return intention;
      const asked = context.inbox.find(({ id }) => id === intention.message);
      return { ...intention, guidance: bend(intention.guidance, asked?.topics ?? []) };
    },
    async contribute(context, about, topics) {
      if (!active(context.step)) return mind.contribute(context, about, topics);
      return bend(await mind.contribute(underOrders(context, orders), about, topics), topics);
    },
  };
}

/** A context stays a window onto the step: what is added stands in front of it. */
const underOrders = (context: MindContext, orders: "mislead" | "withhold"): MindContext =>
  Object.create(context, { orders: { value: orders, enumerable: true } });
