import type { MindAttack } from "../../contracts/workplace/attack.ts";
import type { MindContext } from "../../contracts/workplace/mind.ts";
import { passUsage } from "./pass-usage.ts";

/** Does its own work, and never answers anybody. */
export const ignore: MindAttack = (mind, { active }) => ({
  ...passUsage(mind),
  decide: (context) => mind.decide(active(context.step) ? withoutMail(context) : context),
  contribute: (context, about, topics) => mind.contribute(context, about, topics),
});

const withoutMail = (context: MindContext): MindContext =>
  Object.create(context, { inbox: { value: [], enumerable: true } });
