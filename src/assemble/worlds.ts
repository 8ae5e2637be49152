import { z } from "zod";
import { isRecord } from "../base/json.ts";
import { recipeSchema } from "./recipe.ts";
import { workplaceRecipeSchema } from "./workplace/recipe.ts";

/** What recipes of each world may hold. The key `world` chooses; without it a recipe is of the first. */
export const recipeSchemas = {
  "deliberation-v1": recipeSchema,
  "workplace-v1": workplaceRecipeSchema,
} as const;

/**
 * The JSON Schema of all recipes, for editors: a recipe that says its world is held to that world's keys, one that does not
 * to those of the first.
 */
export function recipeJsonSchema(): Record<string, unknown> {
  const all = Object.values<z.ZodType>(recipeSchemas).map((schema) => z.toJSONSchema(schema, { io: "input" }));
  return { $schema: all[0].$schema, type: "object", oneOf: all.map(({ $schema: _, ...schema }) => schema) };
}

export type WorldName = keyof typeof recipeSchemas;

export const worldNames = Object.keys(recipeSchemas) as WorldName[];

/** Checked recipes, by world. */
export type Recipes = { readonly [W in WorldName]: z.output<(typeof recipeSchemas)[W]> };

/** A checked recipe of any world; `world` tells which. */
export type AnyRecipe = Recipes[WorldName];

/** What a recipe file of any world may hold before it is completed. */
export type AnyRecipeInput = z.input<(typeof recipeSchemas)[WorldName]>;

/** The world that a recipe asks for; `undefined` where there is no such world. */
export function worldNamed(raw: unknown): WorldName | undefined {
  const name = isRecord(raw) ? (raw["world"] ?? worldNames[0]) : worldNames[0];
  return worldNames.find((world) => world === name);
}

/** Whether the agents of a recipe are live language models, whose calls are paid. */
export const isLive = (recipe: AnyRecipe): boolean =>
  (recipe.world === "workplace-v1" ? recipe.minds : recipe.population).kind === "llm";
