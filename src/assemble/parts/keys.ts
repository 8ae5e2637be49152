import { z } from "zod";

/*
 * What keys of recipes may hold, in every world.
 */

export const name = <T extends string>(table: Record<T, unknown>) => z.enum(Object.keys(table) as [T, ...T[]]);
export const count = z.int().min(1);
export const share = z.number().min(0).max(1);
export const limit = z.int().min(0).max(1e9).nullable().describe("a whole number of at least 0, or null for no limit");
/** One limit for all rounds, or one for each of the rounds 2, 3, …; the last stands for those after it. */
export const byRound = <T extends z.ZodType>(each: T) => z.union([each, z.array(each).min(1).max(100)]);
export const onset = z
  .string()
  .regex(/^(first|uniform|late|moving|fixed:[1-9]\d*)$/, "must be first, uniform, late, moving or fixed:ROUND");

/** A list in which nothing stands twice. */
export const distinct = <T extends z.ZodType>(item: T) =>
  z
    .array(item)
    .refine((items) => new Set(items).size === items.length, "names something twice")
    .meta({ uniqueItems: true });
