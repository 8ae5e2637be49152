import type { MindAttack } from "../../contracts/workplace/attack.ts";
import type { MindContext } from "../../contracts/workplace/mind.ts";

/** Does its own work, and never answers anybody. */
export const ignore: MindAttack = (mind, { active }) => ({
  ...mind,
  decide: (context) => mind.decide(active(context.step) ? withoutMail(context) : context),
});

const withoutMail = (context: MindContext): MindContext =>
  Object.create(context, { inbox: { value: [], enumerable: true } });
