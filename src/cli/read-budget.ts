import { ColloquyError } from "../base/errors.ts";

/** The parts of `--budget`, as in `in=2,out=3`. @throws ColloquyError `usage/budget` */
export function readBudget(parts: readonly string[] = []): Record<string, number> {
  return Object.fromEntries(
    parts.map((part) => {
      const [, key, value] = /^(in|out|depth|edges|temporal)=(-?\d+)$/.exec(part) ?? [];
      if (key === undefined) {
        throw new ColloquyError("usage/budget", `--budget ${part} is not of the form in=2,out=3,depth=2`, {
          hint: "Give whole numbers for in, out, depth, edges or temporal; budgets by round: --set topology.in=[2,1]",
        });
      }
      return [key, Number(value)];
    }),
  );
}
