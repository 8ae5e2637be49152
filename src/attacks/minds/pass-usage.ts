import type { Mind } from "../../contracts/workplace/mind.ts";

/** An attacked mind still counts what its calls take, whatever it is made of: a mind may be an object of a class. */
export const passUsage = (mind: Mind): Pick<Mind, "usage"> =>
  mind.usage === undefined ? {} : { usage: () => mind.usage!() };
